/** What a `.cpuprofile` says: which functions, and which packages, the processor was in. */

/** The part of V8's format that is used. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** Node ids, one for each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly name: string;
  readonly ms: number;
  /** Of the time in which the process was not idle, 0 to 1. */
  readonly share: number;
}

export interface ProfileSummary {
  readonly seconds: number;
  /** Share of the time in which the process was not idle, 0 to 1. */
  readonly busy: number;
  readonly functions: readonly SelfTime[];
  readonly packages: readonly SelfTime[];
}

/** Where V8 books time without work; it is no cost. */
const IDLE = '(idle)';

export function summarizeProfile(profile: CpuProfile, top = 15): ProfileSummary {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  let totalUs = 0;
  let idleUs = 0;
  profile.samples.forEach((id, index) => {
    const frame = frames.get(id);
    // A delta is the time since the sample before; V8 may report a small negative one.
    const us = Math.max(0, profile.timeDeltas[index + 1] ?? 0);
    if (frame === undefined) return;
    totalUs += us;
    if (frame.functionName === IDLE) {
      idleUs += us;
      return;
    }
    const file = shortFile(frame.url);
    const place = file === '' ? '' : ` ${file}:${frame.lineNumber + 1}`;
    add(functions, `${frame.functionName === '' ? '(anonymous)' : frame.functionName}${place}`, us);
    add(packages, file === '' ? nativeName(frame.functionName) : packageOf(file), us);
  });
  const busyUs = totalUs - idleUs;
  return {
    seconds: totalUs / 1e6,
    busy: totalUs === 0 ? 0 : busyUs / totalUs,
    functions: largest(functions, busyUs, top),
    packages: largest(packages, busyUs, top),
  };
}

/** Parenthesized names are V8's own: garbage collection, native code without a function, the root. */
function nativeName(functionName: string): string {
  return functionName.startsWith('(') ? functionName : '(native functions)';
}

/** `@graphrun/engine/dist/x.js`, `pg/lib/client.js`, `node:net`. */
export function shortFile(url: string): string {
  if (url === '' || url.startsWith('node:')) return url;
  const path = url.replace(/^file:\/\//, '');
  const packaged = path.lastIndexOf('/node_modules/');
  if (packaged >= 0) return path.slice(packaged + '/node_modules/'.length);
  const own = /\/(?:libs|apps)\/([^/]+)\/dist\/(.*)$/.exec(path);
  if (own) return `@graphrun/${own[1]}/${own[2]}`;
  return path.split('/').slice(-3).join('/');
}

export function packageOf(file: string): string {
  if (file.startsWith('node:')) return 'node';
  const [first = '', second = ''] = file.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function add(sums: Map<string, number>, name: string, us: number): void {
  sums.set(name, (sums.get(name) ?? 0) + us);
}

function largest(sums: ReadonlyMap<string, number>, busyUs: number, top: number): readonly SelfTime[] {
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([name, us]) => ({ name, ms: us / 1000, share: busyUs === 0 ? 0 : us / busyUs }));
}
