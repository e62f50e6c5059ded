/** Durations are a positive integer and a unit: `250ms`, `30s`, `5m`, `2h`, `7d` (spec 01 "Nodes"). */

/** A regular expression, without anchors. */
export const DURATION_PATTERN = '([1-9][0-9]{0,15})(ms|s|m|h|d)';

const DURATION = new RegExp(`^${DURATION_PATTERN}$`);
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration, or null when `text` is not one (or is too long to be a safe integer). */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  const unitMs = UNIT_MS[match?.[2] ?? ''];
  if (unitMs === undefined) return null;
  const durationMs = Number(match?.[1]) * unitMs;
  return Number.isSafeInteger(durationMs) ? durationMs : null;
}

/** The shortest exact spelling of a duration in milliseconds. */
export function formatDuration(durationMs: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const unitMs = UNIT_MS[unit] ?? 1;
    if (durationMs % unitMs === 0) return `${durationMs / unitMs}${unit}`;
  }
  return `${durationMs}ms`;
}
