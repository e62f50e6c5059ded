/** Injection tokens of what is no class. */
export const CONFIG = Symbol('WorkerConfig');
export const LOGGER = Symbol('Logger');
