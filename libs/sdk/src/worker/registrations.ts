/**
 * What a worker can do: one registration for each activity or reconciler, version and role (spec 03 "Attempts": a worker
 * never picks a handler by name alone).
 */
import { contractDigest, LIMITS, parseVersionedName, schemaDigest, versionedName } from '@graphrun/dsl';
import type { Contract, Json, Reconciler } from '@graphrun/dsl';
import { GraphrunError, PAYLOAD_CODEC_VERSION, workKeyText } from '@graphrun/protocol';
import type { Capability, WorkKey } from '@graphrun/protocol';
import type { AnyHandler, HandlerEntry, HandlerMap, ReconcilerMap } from './define-handlers.js';
import { isBlockingHandler } from './define-handlers.js';
import type { BlockingHandler, HandlerOptions, HandlerRole } from './handler.js';
import type { WorkerCatalog } from './options.js';
import type { ReconcilerOptions } from './reconciler.js';

export interface Registration {
  readonly key: WorkKey;
  /** `workKeyText(key)`. */
  readonly keyText: string;
  /** The contract whose effect is meant: for a reconciler that of the activity it answers for. */
  readonly contract: Contract;
  readonly contractDigest: string;
  readonly slots: number;
  readonly handler: AnyHandler | BlockingHandler;
  readonly decode: ((input: Json) => unknown) | null;
}

const ALL_ROLES: readonly HandlerRole[] = ['forward', 'compensation'];

export class Registrations {
  readonly #byKey = new Map<string, Registration>();
  readonly #contracts = new Map<string, Contract>();
  readonly #reconcilers = new Map<string, Reconciler>();
  readonly #catalog: WorkerCatalog;
  readonly #defaultSlots: number;

  constructor(catalog: WorkerCatalog, defaultSlots: number) {
    this.#catalog = catalog;
    this.#defaultSlots = defaultSlots;
    for (const contract of catalog.contracts) this.#contracts.set(identityOf(contract), contract);
    for (const reconciler of catalog.reconcilers) this.#reconcilers.set(identityOf(reconciler), reconciler);
  }

  /** Throws GraphrunError `InvalidArgument` when the handler does not fit the catalog, `AlreadyExists` for a second one. */
  add(name: string, version: number, handler: AnyHandler | BlockingHandler, options: HandlerOptions<unknown>): void {
    const identity = versionedName(name, version);
    const contract = this.#contracts.get(identity);
    if (contract === undefined) {
      throw new GraphrunError(
        'InvalidArgument',
        `the catalog has no activity ${identity}: add its contract, or correct the name`,
      );
    }
    checkExecution(contract, handler, identity);
    for (const role of options.roles ?? ALL_ROLES) this.#register(role, contract, contract, handler, options);
  }

  /** Throws as `add` does. Offers of probes carry the digest of the contract that the reconciler answers for. */
  addReconciler(
    name: string,
    version: number,
    handler: AnyHandler | BlockingHandler,
    options: ReconcilerOptions<unknown>,
  ): void {
    const identity = versionedName(name, version);
    const reconciler = this.#reconcilers.get(identity);
    if (reconciler === undefined) {
      throw new GraphrunError(
        'InvalidArgument',
        `the catalog has no reconciler ${identity}: add it with its forward_activity, or correct the name`,
      );
    }
    const forward = identityOf(reconciler.forwardActivity);
    const contract = this.#contracts.get(forward);
    if (contract === undefined) {
      throw new GraphrunError(
        'InvalidArgument',
        `the catalog has no activity ${forward}, which the reconciler ${identity} answers for`,
      );
    }
    this.#register('reconciliation', reconciler, contract, handler, options);
  }

  #register(
    role: WorkKey['role'],
    { name, version }: { readonly name: string; readonly version: number },
    contract: Contract,
    handler: AnyHandler | BlockingHandler,
    options: ReconcilerOptions<unknown>,
  ): void {
    const identity = versionedName(name, version);
    const slots = options.slots ?? this.#defaultSlotsOf(handler);
    if (!Number.isSafeInteger(slots) || slots < 1) {
      throw new GraphrunError(
        'InvalidArgument',
        `slots of ${identity} must be a whole number of at least 1, not ${slots}`,
      );
    }
    const key: WorkKey = { role, activity: name, version };
    const keyText = workKeyText(key);
    if (this.#byKey.has(keyText)) {
      throw new GraphrunError('AlreadyExists', `${identity} has a handler for the role ${role} already`);
    }
    this.#byKey.set(keyText, {
      key,
      keyText,
      contract,
      contractDigest: contractDigest(contract, this.#catalog.schemas),
      slots,
      handler,
      decode: options.decode ?? null,
    });
  }

  /**
   * Adds what a module exports. Without `activities` everything that the catalog knows; with it exactly what is named
   * (`name` or `name/vN`), and the reconcilers that answer for it. All that is missing is named in one error.
   */
  addAll(handlers: HandlerMap, activities: readonly string[] | null, reconcilers: ReconcilerMap): void {
    const wanted = activities === null ? null : new Set(activities);
    const isWanted = (...names: readonly string[]): boolean =>
      wanted === null || names.some((name) => wanted.has(name));
    const served = new Set<string>();
    for (const [contract, entry] of entriesFor(this.#catalog.contracts, handlers)) {
      const { name, version } = contract;
      if (!isWanted(name, identityOf(contract))) continue;
      const { handler, options } = partsOf(entry);
      this.add(name, version, handler, options);
      served.add(name).add(identityOf(contract));
    }
    for (const [reconciler, entry] of entriesFor(this.#catalog.reconcilers, reconcilers)) {
      const { name, version, forwardActivity } = reconciler;
      const answersFor = identityOf(forwardActivity);
      if (!this.#contracts.has(answersFor)) continue;
      if (!isWanted(name, identityOf(reconciler), forwardActivity.name, answersFor)) continue;
      const { handler, options } = partsOf(entry);
      this.addReconciler(name, version, handler, options);
      served.add(name).add(identityOf(reconciler));
    }
    const missing = [...(wanted ?? [])].filter((name) => !served.has(name));
    if (missing.length > 0) {
      throw new GraphrunError(
        'InvalidArgument',
        `no handler with a contract for ${missing.join(', ')}: the handler module and the catalog must both have it`,
      );
    }
  }

  /** Registers `fallback` for all contracts and roles that nothing is registered for. */
  addFallback(fallback: AnyHandler): void {
    for (const contract of this.#contracts.values()) {
      for (const role of ALL_ROLES) {
        const key: WorkKey = { role, activity: contract.name, version: contract.version };
        // The fallback does not compute: it may run inline whatever the contract says of execution.
        if (!this.#byKey.has(workKeyText(key))) this.#register(role, contract, contract, fallback, {});
      }
    }
  }

  /** An attempt that waits for a thread would use up its time here while another worker may have one. */
  #defaultSlotsOf(handler: AnyHandler | BlockingHandler): number {
    return isBlockingHandler(handler)
      ? Math.min(this.#defaultSlots, LIMITS.blockingThreadsPerWorker)
      : this.#defaultSlots;
  }

  get(keyText: string): Registration | undefined {
    return this.#byKey.get(keyText);
  }

  all(): readonly Registration[] {
    return [...this.#byKey.values()];
  }

  capabilities(): readonly Capability[] {
    const { schemas } = this.#catalog;
    return this.all().map(({ key, contract, contractDigest, slots }) => ({
      ...key,
      codecVersion: PAYLOAD_CODEC_VERSION,
      inputSchemaDigest: schemaDigest(contract.inputSchema, schemas),
      outputSchemaDigest: schemaDigest(contract.outputSchema, schemas),
      contractDigest,
      slots,
    }));
  }
}

interface Named {
  readonly name: string;
  readonly version: number;
}

function identityOf({ name, version }: Named): string {
  return versionedName(name, version);
}

/** What the catalog has of what a map names. An entry named for its version goes before one named for all versions. */
function* entriesFor<Item extends Named, Entry>(
  catalog: readonly Item[],
  entries: Readonly<Record<string, Entry>>,
): Generator<readonly [Item, Entry]> {
  for (const [name, entry] of Object.entries(entries)) {
    const oneVersion = parseVersionedName(name) !== null;
    for (const item of catalog) {
      const identity = identityOf(item);
      if (oneVersion ? identity === name : item.name === name && !Object.hasOwn(entries, identity)) yield [item, entry];
    }
  }
}

function partsOf(entry: HandlerEntry): {
  readonly handler: AnyHandler | BlockingHandler;
  readonly options: HandlerOptions<unknown>;
} {
  if (typeof entry === 'function' || isBlockingHandler(entry)) return { handler: entry, options: {} };
  const { handler, ...options } = entry;
  return { handler, options };
}

function checkExecution(contract: Contract, handler: AnyHandler | BlockingHandler, identity: string): void {
  if (contract.execution === 'blocking' && !isBlockingHandler(handler)) {
    throw new GraphrunError(
      'InvalidArgument',
      `${identity} is blocking: give its handler as blocking(new URL('./module.js', import.meta.url), 'name')`,
    );
  }
  if (contract.execution === 'async' && isBlockingHandler(handler)) {
    throw new GraphrunError(
      'InvalidArgument',
      `${identity} is async: give its handler as a function, or declare execution: blocking in the catalog`,
    );
  }
}
