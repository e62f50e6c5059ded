import { describe, expect, it } from '@jest/globals';
import { parseDelivery } from './wire.js';

describe('the delivery data of a message', () => {
  it('is read from the reply subject of servers without and with a domain', () => {
    const delivery = { seq: 71, deliverySeq: 5, timestamp: 1_700_000_000_123 };
    expect(parseDelivery('$JS.ACK.S.c.1.71.5.1700000000123999999.0')).toEqual(delivery);
    expect(parseDelivery('$JS.ACK.hub.ACC.S.c.1.71.5.1700000000123999999.0')).toEqual(delivery);
    expect(parseDelivery('$JS.ACK.hub.ACC.S.c.1.71.5.1700000000123999999.0.x')).toEqual(delivery);
  });

  it('is null for anything else', () => {
    for (const reply of [undefined, '', '_INBOX.1', '$JS.ACK.S.c.1.71', '$JS.ACK.S.c.1.x.5.1700000000123999999.0']) {
      expect(parseDelivery(reply)).toBeNull();
    }
  });
});
