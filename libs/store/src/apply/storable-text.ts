/**
 * Text that PostgreSQL is sure to take: NUL and lone surrogates become their JSON escapes. For diagnostics only;
 * payloads are stored as they are or refused.
 */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, escapeUnit);
  return whole.includes('\0') ? whole.replaceAll('\0', escapeUnit) : whole;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
