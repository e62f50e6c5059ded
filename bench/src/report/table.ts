/** The report for people. */
import type { ProfileSummary } from '../profile/summary.js';
import { significant } from '../statistics.js';
import type { Result } from './result.js';

/** Columns as wide as their widest cell; the first is aligned left, the others right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) =>
        column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function resultTable(results: readonly Result[]): string {
  const rows = results.map(({ id, variant, unit, metrics, cpu_ms, cpu_bound_per_s, machine_use, ratios }) => {
    const shown = (name: string): string => (metrics[name] === undefined ? '' : figure(metrics[name].median));
    const cpu = Object.values(cpu_ms).reduce((sum, ms) => sum + ms, 0);
    return [
      `${id} ${variant}`,
      `${shown('per_second')} ${unit}/s`,
      shown('p50_ms'),
      shown('p95_ms'),
      shown('p99_ms'),
      figure(cpu),
      figure(cpu_bound_per_s),
      `${Math.round((machine_use['others'] ?? 0) * 100)} %`,
      Object.entries(ratios)
        .map(([name, value]) => `${figure(value)} of ${name}`)
        .join(', '),
    ];
  });
  return table(['', 'rate', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms each', 'CPU bound/s', 'others', 'ratios'], rows);
}

/** The parts of each result by name, such as the processor time of each process. */
export function partsTable(
  title: string,
  results: readonly Result[],
  partsOf: (result: Result) => Readonly<Record<string, number>>,
): string {
  const names = [...new Set(results.flatMap((result) => Object.keys(partsOf(result))))];
  const rows = results.map((result) => {
    const parts = partsOf(result);
    return [
      `${result.id} ${result.variant}`,
      ...names.map((name) => (parts[name] === undefined ? '' : figure(parts[name], 3))),
    ];
  });
  return table([title, ...names], rows);
}

export function profileTable(name: string, summary: ProfileSummary): string {
  const rows = (parts: ProfileSummary['functions']): readonly (readonly string[])[] =>
    parts.map((part) => [part.name, figure(part.ms), `${(part.share * 100).toFixed(1)} %`]);
  const title = `${name}: ${figure(summary.seconds)} s, ${Math.round(summary.busy * 100)} % busy`;
  return [
    title,
    table(['self time by function', 'ms', 'share'], rows(summary.functions)),
    table(['self time by package', 'ms', 'share'], rows(summary.packages)),
    table(['time with what it called', 'ms', 'share'], rows(summary.inclusive)),
  ].join('\n');
}

function figure(value: number, digits = 4): string {
  const rounded = significant(value, digits);
  return Math.abs(rounded) >= 1000 ? String(Math.round(rounded)) : String(rounded);
}
