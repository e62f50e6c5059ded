/** Work that a worker may take: a hint. The truth about ready work is in PostgreSQL (spec 04 "Work queue"). */
import type { ActivationId, EffectKey, Role, RunId } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';

export interface Offer {
  /** `<partition>.<epoch>.<n>`: never the same for two offers. */
  readonly id: string;
  readonly partition: number;
  readonly epoch: number;
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly attempt: number;
  readonly generation: number;
  readonly role: Role;
  readonly activity: string;
  readonly version: number;
  readonly input: Json;
  readonly effectKey: EffectKey;
  readonly timeoutMs: number;
  /** What worker and engine must agree on; a worker that does not know it hands the offer back. */
  readonly contractDigest: string;
  /** A strict offer must be claimed, and the grant received, before the handler starts. */
  readonly strict: boolean;
  /** Set when this is no offer but a grant already committed for the session that receives it: its deadline, UTC ms. */
  readonly grantedUntil: number | null;
}

/** The queue an offer belongs to. */
export interface WorkKey {
  readonly role: Role;
  readonly activity: string;
  readonly version: number;
}

/** `role/activity/version`, usable as a map key. */
export function workKeyText(key: WorkKey): string {
  return `${key.role}/${key.activity}/${key.version}`;
}
