/** Injection tokens of this app. */
export const LOGGER = Symbol('logger');
