/** How types follow a projection: members, items, what may be missing, and which identity is left (spec 01 "Bindings"). */
import type { SchemaIdentity } from './witness.js';

/** Keys that the type lists by name, without those of an index signature. */
type Listed<V> = { [K in keyof V as string extends K ? never : number extends K ? never : K]: V[K] };

/** Indices of a tuple as numbers; of other arrays any number. */
type Index<V extends readonly unknown[]> = number extends V['length']
  ? number
  : Extract<keyof V, `${number}`> extends `${infer N extends number}`
    ? N
    : never;

/** What can follow a value of type `V` in a pointer: a member name, or an index. Open values allow everything. */
export type KeyOf<V> = unknown extends V
  ? string | number
  : V extends readonly unknown[]
    ? Index<V>
    : V extends object
      ? Extract<keyof V, string>
      : never;

/** The type of what `K` finds in `V`; with `undefined` where it may find nothing. */
export type MemberOf<V, K> = unknown extends V
  ? unknown
  : V extends readonly unknown[]
    ? ItemOf<V, K>
    : V extends object
      ? K extends keyof Listed<V>
        ? V[K & keyof V]
        : K extends keyof V
          ? V[K] | undefined
          : undefined
      : undefined;

type ItemOf<V extends readonly unknown[], K> = K extends number
  ? number extends V['length']
    ? V[number] | undefined
    : `${K}` extends keyof V
      ? V[K & keyof V]
      : undefined
  : undefined;

/**
 * The identity of what `K` finds: a pointer that stays inside `array` and `tuple` keeps it, one into the JSON of a named
 * schema loses it.
 */
export type IdentityAt<Id, K> = Id extends { readonly array: infer Item extends SchemaIdentity }
  ? Item
  : Id extends { readonly tuple: infer Items extends readonly SchemaIdentity[] }
    ? K extends keyof Items
      ? Extract<Items[K], SchemaIdentity>
      : null
    : null;
