/**
 * What one seed is made of: runs with what clients do to them, and faults. It is data, so that a plan that fails can be
 * made smaller piece by piece, and the order of steps is drawn from the seed again for each of its versions.
 */
import { Random } from './core/random.js';
import { WORKFLOWS } from './definitions.js';
import type { CommitFault } from './servers/store-port.js';

/** Probabilities of what may go wrong with each message. */
export interface Rates {
  readonly offerLoss: number;
  readonly offerTwice: number;
  readonly receiptLoss: number;
  readonly commandLoss: number;
  readonly commandTwice: number;
  readonly redelivery: number;
  readonly pingLoss: number;
}

export const CALM: Rates = {
  offerLoss: 0,
  offerTwice: 0,
  receiptLoss: 0,
  commandLoss: 0,
  commandTwice: 0,
  redelivery: 0,
  pingLoss: 0,
};

export type ClientOp =
  | { readonly kind: 'cancel' | 'pause' | 'resume' | 'terminate' | 'abandon'; readonly afterMs: number }
  | { readonly kind: 'signal'; readonly afterMs: number; readonly event: string; readonly n: number };

export interface RunPlan {
  readonly index: number;
  readonly workflow: string;
  readonly startAfterMs: number;
  readonly startKey: string | null;
  readonly n: number;
  /** PostgreSQL refuses whatever holds this run's input: it is quarantined, and its neighbours do not notice. */
  readonly poison: boolean;
  readonly ops: readonly ClientOp[];
}

export type FaultAction =
  | { readonly kind: 'kill owner'; readonly member: number; readonly backAfterMs: number }
  | { readonly kind: 'freeze owner' | 'cut owner'; readonly member: number; readonly forMs: number }
  | { readonly kind: 'clock'; readonly member: number; readonly skewMs: number }
  | { readonly kind: 'commit'; readonly member: number; readonly how: CommitFault }
  | { readonly kind: 'store away'; readonly member: number; readonly forMs: number }
  | { readonly kind: 'log loses'; readonly partition: number; readonly count: number }
  | { readonly kind: 'log anew'; readonly partition: number }
  | { readonly kind: 'kill worker'; readonly worker: number; readonly backAfterMs: number }
  | { readonly kind: 'freeze worker'; readonly worker: number; readonly forMs: number }
  | { readonly kind: 'queue lost' };

export interface Fault {
  /** After so many steps. */
  readonly atStep: number;
  readonly action: FaultAction;
}

export interface Plan {
  readonly seed: number;
  readonly partitions: number;
  readonly members: number;
  readonly workers: number;
  /** Memory for so little that runs are loaded again and again. */
  readonly smallMemory: boolean;
  readonly checkpointEvents: number;
  /** Free slots workers speak of, for eager grants. */
  readonly free: number;
  readonly rates: Rates;
  readonly runs: readonly RunPlan[];
  readonly faults: readonly Fault[];
}

export function planOf(seed: number): Plan {
  const random = Random.of(seed, 'plan');
  const rough = random.chance(0.7);
  const partitions = random.int(1, 4);
  const members = random.chance(0.7) ? 2 : 1;
  const workers = random.int(2, 3);
  const sometimes = (most: number): number => (rough && random.chance(0.5) ? random.int(1, most) / 100 : 0);
  const rates: Rates = {
    offerLoss: sometimes(20),
    offerTwice: sometimes(30),
    receiptLoss: sometimes(30),
    commandLoss: sometimes(20),
    commandTwice: sometimes(30),
    redelivery: sometimes(10),
    pingLoss: sometimes(20),
  };
  const runs = Array.from({ length: random.int(2, 5) }, (_, index) => runOf(random, index));
  const faults = rough
    ? Array.from({ length: random.int(0, 6) }, () => faultOf(random, { partitions, members, workers }))
    : [];
  return {
    seed,
    partitions,
    members,
    workers,
    smallMemory: random.chance(0.3),
    checkpointEvents: random.pick([2, 5, 16, 256]),
    free: random.int(0, 2),
    rates,
    runs,
    faults: faults.sort((a, b) => a.atStep - b.atStep),
  };
}

function runOf(random: Random, index: number): RunPlan {
  const workflow = random.pick(WORKFLOWS);
  const ops: ClientOp[] = [];
  if (workflow.signals) {
    for (let sent = random.int(0, 3); sent > 0; sent -= 1)
      ops.push({ kind: 'signal', afterMs: random.int(0, 4000), event: `e${random.int(1, 3)}`, n: random.int(1, 2) });
  }
  if (random.chance(0.2)) ops.push({ kind: 'cancel', afterMs: random.int(0, 5000) });
  if (random.chance(0.2)) {
    const afterMs = random.int(0, 4000);
    ops.push({ kind: 'pause', afterMs });
    if (random.chance(0.9)) ops.push({ kind: 'resume', afterMs: afterMs + random.int(1, 6000) });
  }
  if (random.chance(0.05)) ops.push({ kind: 'terminate', afterMs: random.int(0, 8000) });
  if (random.chance(0.05)) ops.push({ kind: 'abandon', afterMs: random.int(0, 12_000) });
  return {
    index,
    workflow: workflow.id,
    startAfterMs: random.int(0, 1500),
    startKey: random.chance(0.3) ? `key-${random.int(1, 2)}` : null,
    n: random.int(1, 3),
    poison: random.chance(0.04),
    ops,
  };
}

function faultOf(random: Random, of: { partitions: number; members: number; workers: number }): Fault {
  const member = random.int(0, of.members - 1);
  const worker = random.int(0, of.workers - 1);
  const partition = random.int(0, of.partitions - 1);
  const action = random.weighted<FaultAction>([
    [5, { kind: 'kill owner', member, backAfterMs: random.int(1, 4000) }],
    [3, { kind: 'freeze owner', member, forMs: random.int(100, 15_000) }],
    [2, { kind: 'cut owner', member, forMs: random.int(500, 12_000) }],
    [2, { kind: 'clock', member, skewMs: random.pick([-6000, -1500, -300, 300, 1500, 1900, 2500, 6000]) }],
    [
      6,
      { kind: 'commit', member, how: random.pick(['lost before', 'lost after', 'slow before', 'slow after'] as const) },
    ],
    [1, { kind: 'store away', member, forMs: random.int(100, 12_000) }],
    [2, { kind: 'log loses', partition, count: random.int(1, 6) }],
    [1, { kind: 'log anew', partition }],
    [4, { kind: 'kill worker', worker, backAfterMs: random.int(1, 6000) }],
    [3, { kind: 'freeze worker', worker, forMs: random.int(500, 12_000) }],
    [1, { kind: 'queue lost' }],
  ]);
  return { atStep: random.int(20, random.chance(0.5) ? 300 : 1000), action };
}
