/**
 * JSON values as the engine sees them (spec 01 "Values and numbers").
 *
 * Integers are safe integers; `-0`, NaN and infinities do not exist here. Values are immutable: once a value
 * has been accepted nobody changes it, so it may be shared freely between events, state and messages.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };
