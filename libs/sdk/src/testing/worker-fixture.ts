/** A worker, its scripted owner and a clock in hand, connected by the in-process messaging. */
import { contractDigest } from '@graphrun/dsl';
import type { Contract, Json, Reconciler } from '@graphrun/dsl';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import type { EmbeddedMessaging } from '@graphrun/messaging';
import type { Offer } from '@graphrun/protocol';
import type { Logger } from '@graphrun/runtime';
import type { WorkerMessaging, WorkerOptions } from '../worker/options.js';
import { Worker } from '../worker/worker.js';
import { ManualClock } from './manual-clock.js';
import { ScriptedOwner } from './scripted-owner.js';

const SCHEMAS: { readonly [nameAndVersion: string]: Json } = { 'any/v1': {} };

/** A contract of a test: pure and async unless it says otherwise. */
export function contract(name: string, of: Partial<Contract> = {}): Contract {
  return {
    name,
    version: 1,
    inputSchema: 'any/v1',
    outputSchema: 'any/v1',
    execution: 'async',
    effects: 'pure',
    recovery: 'RetrySafe',
    errorCodes: [],
    reconciler: null,
    ...of,
  };
}

export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: object;
  readonly message: string;
}

export interface WorkerFixture {
  readonly clock: ManualClock;
  readonly messaging: EmbeddedMessaging;
  readonly owner: ScriptedOwner;
  readonly worker: Worker;
  /** What the worker logged. */
  readonly lines: readonly LogLine[];
  /** Offers work of a contract of the fixture. */
  offer(activity: string, of?: Partial<Offer>): Offer;
  /** An offer that is not sent: for grants. */
  grantOf(activity: string, of?: Partial<Offer>): Offer;
  close(): Promise<void>;
}

export interface FixtureOptions extends Partial<Omit<WorkerOptions, 'messaging' | 'catalog' | 'clock' | 'logger'>> {
  readonly contracts: readonly Contract[];
  readonly reconcilers?: readonly Reconciler[];
  /** Schemas of the contracts, where they are not those of `contract`. */
  readonly schemas?: { readonly [nameAndVersion: string]: Json };
  /** Puts something between the worker and its messaging: a network that fails. */
  readonly wrap?: (messaging: WorkerMessaging) => WorkerMessaging;
}

/** The worker is not started: the test registers handlers first. */
export async function openFixture(options: FixtureOptions): Promise<WorkerFixture> {
  const { contracts, reconcilers = [], schemas = SCHEMAS, wrap, ...settings } = options;
  const clock = new ManualClock();
  const messaging = createEmbeddedMessaging({ clock: () => clock.now() });
  const owner = await ScriptedOwner.open(messaging, clock);
  const lines: LogLine[] = [];
  const worker = new Worker({
    worker: 'w-0',
    principal: 'w',
    random: () => 0.5,
    ...settings,
    messaging: wrap === undefined ? messaging : wrap(messaging),
    catalog: { contracts, reconcilers, schemas },
    clock,
    logger: linesLogger(lines),
  });
  const described = (
    activity: string,
    of: Partial<Offer>,
  ): Pick<Offer, 'activity' | 'contractDigest'> & Partial<Offer> => {
    const known = contracts.find(({ name }) => name === activity);
    if (known === undefined) throw new Error(`the fixture has no contract for ${activity}`);
    return { activity, contractDigest: contractDigest(known, schemas), ...of };
  };
  return {
    clock,
    messaging,
    owner,
    worker,
    lines,
    offer: (activity, of = {}) => owner.offer(described(activity, of)),
    grantOf: (activity, of = {}) =>
      owner.makeOffer({ grantedUntil: clock.now() + 300_000, ...described(activity, of) }),
    close: async () => {
      await worker.close();
      await owner.close();
      await messaging.close();
    },
  };
}

function linesLogger(lines: LogLine[]): Logger {
  const at =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields, message });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A promise that a test settles: a handler that takes as long as the test wants. */
export interface Gate<Value> {
  readonly promise: Promise<Value>;
  open(value: Value): void;
  fail(error: Error): void;
}

export function gate<Value = void>(): Gate<Value> {
  let open: (value: Value) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open: (value) => open(value), fail: (error) => fail(error) };
}
