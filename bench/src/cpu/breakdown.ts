/** Who used the processors during a measurement. */
import { family, machineTimes, processTimes, processWrites } from './process-times.js';

export interface CpuConsumer {
  readonly name: string;
  readonly pid: number;
  /** With the processes that it has started, such as the backends of PostgreSQL. */
  readonly withChildren?: boolean;
}

export interface CpuShare {
  readonly user_s: number;
  readonly system_s: number;
  /** Calls that wrote to a socket or file: many small ones cost the sender and the receiver. */
  readonly writes: number;
}

export interface CpuBreakdown {
  readonly seconds: number;
  readonly processes: Readonly<Record<string, CpuShare>>;
  /** Of all cores during the measurement, 0 to 1. */
  readonly machine: { readonly busy: number; readonly io_wait: number; readonly steal: number };
}

interface Reading {
  readonly user: number;
  readonly system: number;
  readonly writes: number;
}

/** Starts to measure; the function that is returned ends it. */
export function measureCpu(consumers: readonly CpuConsumer[]): () => CpuBreakdown {
  const before = consumers.map(read);
  const machineBefore = machineTimes();
  const startedAt = performance.now();
  return () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const machineAfter = machineTimes();
    const after = consumers.map(read);
    const processes: Record<string, CpuShare> = {};
    consumers.forEach(({ name }, index) => {
      const start = before[index] ?? { user: 0, system: 0, writes: 0 };
      const end = after[index] ?? start;
      processes[name] = {
        user_s: end.user - start.user,
        system_s: end.system - start.system,
        writes: end.writes - start.writes,
      };
    });
    const spent = {
      busy: machineAfter.busy - machineBefore.busy,
      idle: machineAfter.idle - machineBefore.idle,
      ioWait: machineAfter.ioWait - machineBefore.ioWait,
      steal: machineAfter.steal - machineBefore.steal,
    };
    const all = spent.busy + spent.idle + spent.ioWait + spent.steal;
    const share = (part: number): number => (all === 0 ? 0 : part / all);
    return {
      seconds,
      processes,
      machine: { busy: share(spent.busy), io_wait: share(spent.ioWait), steal: share(spent.steal) },
    };
  };
}

function read({ pid, withChildren = false }: CpuConsumer): Reading {
  let user = 0;
  let system = 0;
  let writes = 0;
  for (const member of withChildren ? family(pid) : [pid]) {
    const times = processTimes(member);
    if (times === null) continue;
    user += times.user;
    // A child that ends moves its time here, so that nothing is lost; the kernel does not keep its parts apart for us.
    system += times.system + (withChildren ? times.ended : 0);
    writes += processWrites(member);
  }
  return { user, system, writes };
}

/** Milliseconds of processor time for each of `units`, by process. */
export function cpuPerUnit(breakdown: CpuBreakdown, units: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(breakdown.processes).map(([name, { user_s, system_s }]) => [
      name,
      ((user_s + system_s) * 1000) / units,
    ]),
  );
}

/** Write calls for each of `units`, by process. */
export function writesPerUnit(breakdown: CpuBreakdown, units: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(breakdown.processes).map(([name, { writes }]) => [name, writes / units]));
}

export function sumBreakdowns(parts: readonly CpuBreakdown[]): CpuBreakdown {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  const processes: Record<string, CpuShare> = {};
  for (const part of parts) {
    for (const [name, { user_s, system_s, writes }] of Object.entries(part.processes)) {
      const sum = processes[name] ?? { user_s: 0, system_s: 0, writes: 0 };
      processes[name] = {
        user_s: sum.user_s + user_s,
        system_s: sum.system_s + system_s,
        writes: sum.writes + writes,
      };
    }
  }
  const mean = (of: (part: CpuBreakdown) => number): number =>
    seconds === 0 ? 0 : parts.reduce((sum, part) => sum + of(part) * part.seconds, 0) / seconds;
  return {
    seconds,
    processes,
    machine: {
      busy: mean((part) => part.machine.busy),
      io_wait: mean((part) => part.machine.io_wait),
      steal: mean((part) => part.machine.steal),
    },
  };
}
