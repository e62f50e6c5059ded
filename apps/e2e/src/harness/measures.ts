/** What the campaign has measured: printed, and kept as JSON lines where `GRAPHRUN_E2E_MEASURES` names a file. */
import { appendFileSync } from 'node:fs';

const FILE_VARIABLE = 'GRAPHRUN_E2E_MEASURES';

/** `value` with its unit in the name: `takeover_ms`. */
export function measured(what: string, values: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(values).map(
    ([name, value]) => `${name}=${typeof value === 'number' ? round(value) : value}`,
  );
  process.stdout.write(`campaign: ${what}: ${text.join(' ')}\n`);
  const file = process.env[FILE_VARIABLE];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ what, ...values })}\n`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
