import { describe, expect, it } from '@jest/globals';
import { aNotice, anOffer, aReceipt, aSession } from './contract/builders.js';
import {
  decodeAbort,
  decodeNotices,
  decodeOffer,
  decodeReceipts,
  decodeRenewReply,
  decodeRenewRequest,
  decodeSession,
  UnreadableMessageError,
} from './decode.js';

describe('reading what comes over the wire', () => {
  it('gives back what was written', () => {
    expect(decodeOffer(JSON.stringify(anOffer(1)))).toEqual(anOffer(1));
    expect(decodeOffer(JSON.stringify(anOffer(1, { input: null, grantedUntil: 7 })))).toEqual(
      anOffer(1, { input: null, grantedUntil: 7 }),
    );
    expect(decodeNotices(JSON.stringify([aNotice(3)]))).toEqual([aNotice(3)]);
    expect(decodeReceipts(JSON.stringify([aReceipt('c1')]))).toEqual([aReceipt('c1')]);
    expect(decodeSession(JSON.stringify(aSession('s1')))).toEqual(aSession('s1'));
  });

  it('names what is wrong', () => {
    const { input, ...withoutInput } = anOffer(1);
    expect(input).toEqual({ order: 1 });
    const cases: readonly (readonly [() => unknown, string])[] = [
      [() => decodeOffer('{'), 'an offer is not JSON'],
      [() => decodeOffer('null'), 'an offer is not a JSON object'],
      [() => decodeOffer(JSON.stringify(withoutInput)), 'an offer has no input'],
      [
        () => decodeOffer(JSON.stringify({ ...anOffer(1), grantedUntil: 'x' })),
        'an offer has no grantedUntil of type number or null',
      ],
      [() => decodeAbort('{"run":1}'), 'an abort notice has no run of type string'],
      [() => decodeNotices('{}'), 'a list of change notices is not an array'],
      [() => decodeNotices('[7]'), 'a change notice is not a JSON object'],
      [() => decodeReceipts('{}'), 'a list of receipts is not an array'],
      [() => decodeReceipts('[7]'), 'a receipt is neither of kind client nor worker'],
      [() => decodeReceipts('[{"kind":"client","id":"c1"}]'), 'a client receipt has no result of type object'],
      [() => decodeReceipts('[{"kind":"worker","ref":"r1"}]'), 'a worker receipt has no verdict of type string'],
      [() => decodeRenewRequest('{"session":"s1"}'), 'a renewal has no claims of type array'],
      [() => decodeRenewReply('{"epoch":1,"leaseMs":2}'), 'the answer to a renewal has no lost of type array'],
      [() => decodeSession('{}'), 'a session has no session of type string'],
    ];
    for (const [read, message] of cases) {
      expect(read).toThrow(UnreadableMessageError);
      expect(read).toThrow(message);
    }
  });
});
