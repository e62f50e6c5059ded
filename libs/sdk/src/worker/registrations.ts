/**
 * What a worker can do: one registration for each activity, version and role (spec 03 "Attempts": a worker never picks
 * a handler by name alone).
 */
import { contractDigest, parseVersionedName, versionedName } from '@graphrun/dsl';
import type { Contract, Json } from '@graphrun/dsl';
import { GraphrunError, workKeyText } from '@graphrun/protocol';
import type { Capability, WorkKey } from '@graphrun/protocol';
import type { AnyHandler, HandlerEntry, HandlerMap } from './define-handlers.js';
import { isBlockingHandler } from './define-handlers.js';
import type { BlockingHandler, HandlerOptions } from './handler.js';
import type { WorkerCatalog } from './options.js';

export interface Registration {
  readonly key: WorkKey;
  /** `workKeyText(key)`. */
  readonly keyText: string;
  readonly contract: Contract;
  readonly contractDigest: string;
  readonly slots: number;
  readonly handler: AnyHandler | BlockingHandler;
  readonly decode: ((input: Json) => unknown) | null;
}

export class Registrations {
  readonly #byKey = new Map<string, Registration>();
  readonly #contracts = new Map<string, Contract>();
  readonly #catalog: WorkerCatalog;
  readonly #defaultSlots: number;

  constructor(catalog: WorkerCatalog, defaultSlots: number) {
    this.#catalog = catalog;
    this.#defaultSlots = defaultSlots;
    for (const contract of catalog.contracts) {
      this.#contracts.set(versionedName(contract.name, contract.version), contract);
    }
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
    this.#register(contract, handler, options);
  }

  #register(contract: Contract, handler: AnyHandler | BlockingHandler, options: HandlerOptions<unknown>): void {
    const { name, version } = contract;
    const identity = versionedName(name, version);
    const slots = options.slots ?? this.#defaultSlots;
    if (!Number.isSafeInteger(slots) || slots < 1) {
      throw new GraphrunError(
        'InvalidArgument',
        `slots of ${identity} must be a whole number of at least 1, not ${slots}`,
      );
    }
    for (const role of options.roles ?? ['forward' as const]) {
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
  }

  /**
   * Adds the handlers of a module. Without `activities` those that the catalog has a contract for; with it exactly the
   * named ones (`name` or `name/vN`), and all that is missing is named in one error.
   */
  addAll(handlers: HandlerMap, activities: readonly string[] | null): void {
    const wanted = activities === null ? null : new Set(activities);
    const served = new Set<string>();
    for (const [name, entry] of Object.entries(handlers)) {
      for (const contract of this.#contractsOf(name)) {
        const identity = versionedName(contract.name, contract.version);
        // A handler named for its version goes before one named for all versions.
        if (name !== identity && Object.hasOwn(handlers, identity)) continue;
        if (wanted !== null && !wanted.has(contract.name) && !wanted.has(identity)) continue;
        const { handler, options } = optionsOf(entry);
        this.add(contract.name, contract.version, handler, options);
        served.add(contract.name).add(identity);
      }
    }
    const missing = [...(wanted ?? [])].filter((name) => !served.has(name));
    if (missing.length > 0) {
      throw new GraphrunError(
        'InvalidArgument',
        `no handler with a contract for ${missing.join(', ')}: the handler module and the catalog must both have it`,
      );
    }
  }

  /** Registers `fallback` for all contracts that nothing is registered for. */
  addFallback(fallback: AnyHandler): void {
    for (const contract of this.#contracts.values()) {
      const key: WorkKey = { role: 'forward', activity: contract.name, version: contract.version };
      if (this.#byKey.has(workKeyText(key))) continue;
      // The fallback does not compute: it may run inline whatever the contract says of execution.
      this.#register(contract, fallback, {});
    }
  }

  get(keyText: string): Registration | undefined {
    return this.#byKey.get(keyText);
  }

  all(): readonly Registration[] {
    return [...this.#byKey.values()];
  }

  capabilities(): readonly Capability[] {
    return this.all().map(({ key, contractDigest, slots }) => ({ ...key, contractDigest, slots }));
  }

  #contractsOf(name: string): readonly Contract[] {
    const versioned = parseVersionedName(name);
    if (versioned !== null) {
      const contract = this.#contracts.get(name);
      return contract === undefined ? [] : [contract];
    }
    return this.#catalog.contracts.filter((contract) => contract.name === name);
  }
}

function optionsOf(entry: HandlerEntry): {
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
