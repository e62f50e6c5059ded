/** What a `.cpuprofile` says: which functions, and which packages, the processor was in. */

/** The part of V8's format that is used. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    /** Ids of the nodes of what it called. */
    readonly children?: readonly number[];
  }[];
  /** Node ids, one for each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

export interface TimeShare {
  readonly name: string;
  readonly ms: number;
  /** Of the time in which the process was not idle, 0 to 1. */
  readonly share: number;
}

export interface ProfileSummary {
  readonly seconds: number;
  /** Share of the time in which the process was not idle, 0 to 1. */
  readonly busy: number;
  /** Time in the function itself. */
  readonly functions: readonly TimeShare[];
  readonly packages: readonly TimeShare[];
  /** Time in functions of the product together with all they called: where to look first. */
  readonly inclusive: readonly TimeShare[];
}

/** Where V8 books time without work; it is no cost. */
const IDLE = '(idle)';

export function summarizeProfile(profile: CpuProfile, top = 15): ProfileSummary {
  const selfUs = selfTimes(profile);
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  let totalUs = 0;
  let busyUs = 0;
  for (const { id, callFrame } of profile.nodes) {
    const us = selfUs.get(id) ?? 0;
    totalUs += us;
    if (us === 0 || callFrame.functionName === IDLE) continue;
    busyUs += us;
    const file = shortFile(callFrame.url);
    add(functions, frameName(callFrame), us);
    add(packages, file === '' ? nativeName(callFrame.functionName) : packageOf(file), us);
  }
  return {
    seconds: totalUs / 1e6,
    busy: totalUs === 0 ? 0 : busyUs / totalUs,
    functions: largest(functions, busyUs, top),
    packages: largest(packages, busyUs, top),
    inclusive: largest(inclusiveTimes(profile, selfUs), busyUs, top),
  };
}

type CallFrame = CpuProfile['nodes'][number]['callFrame'];

function frameName({ functionName, url, lineNumber }: CallFrame): string {
  const file = shortFile(url);
  const name = functionName === '' ? '(anonymous)' : functionName;
  return file === '' ? name : `${name} ${file}:${lineNumber + 1}`;
}

/** Microseconds by node: from each sample to the next. */
function selfTimes({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  samples.forEach((id, index) => {
    // V8 may report a small negative delta.
    const us = Math.max(0, timeDeltas[index + 1] ?? 0);
    sums.set(id, (sums.get(id) ?? 0) + us);
  });
  return sums;
}

/** A function that is on the stack twice is counted once. */
function inclusiveTimes(profile: CpuProfile, selfUs: ReadonlyMap<number, number>): ReadonlyMap<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const sums = new Map<string, number>();
  const visit = (id: number, onStack: ReadonlySet<string>): number => {
    const node = nodes.get(id);
    if (node === undefined) return 0;
    const name = frameName(node.callFrame);
    const counted = shortFile(node.callFrame.url).startsWith('@graphrun/') && !onStack.has(name);
    const below = counted ? new Set([...onStack, name]) : onStack;
    const us = (node.children ?? []).reduce((sum, child) => sum + visit(child, below), selfUs.get(id) ?? 0);
    if (counted) add(sums, name, us);
    return us;
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, new Set());
  return sums;
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

function largest(sums: ReadonlyMap<string, number>, busyUs: number, top: number): readonly TimeShare[] {
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([name, us]) => ({ name, ms: us / 1000, share: busyUs === 0 ? 0 : us / busyUs }));
}
