import { describe, expect, it } from '@jest/globals';
import { messageIdentity } from './message-identity.js';

describe('the identity of a logged message', () => {
  it('is the start of SHA-256 over its UTF-8 bytes', () => {
    // printf 'abc' | sha256sum; printf 'ä' | sha256sum
    expect(messageIdentity('abc')).toBe('ba7816bf8f01cfea');
    expect(messageIdentity('ä')).toBe('33e6d73fee82904c');
  });
});
