/** The answers processors give. */
import type { Decision, RejectionCode } from '../commands.js';

export const ACCEPTED: Decision = { kind: 'accepted' };
export const REPEATED: Decision = { kind: 'accepted', repeated: true };

export function stale(reason: string): Decision {
  return { kind: 'stale', reason };
}

export function rejected(code: RejectionCode, message: string): Decision {
  return { kind: 'rejected', rejection: { code, message } };
}
