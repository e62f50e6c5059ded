import { describe, expect, it } from '@jest/globals';
import { ResponseReader } from './response-reader.js';

function response(body: string, status = '200 OK'): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

describe('a response', () => {
  it('is read from one piece', () => {
    expect(new ResponseReader().push(response('{"a":1}'))).toEqual({ status: 200, body: '{"a":1}' });
  });

  it('is the same wherever the network has cut it', () => {
    const bytes = response('{"name":"Zoë"}', '202 Accepted');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const reader = new ResponseReader();
      expect(reader.push(bytes.subarray(0, cut))).toBeNull();
      expect(reader.push(bytes.subarray(cut))).toEqual({ status: 202, body: '{"name":"Zoë"}' });
    }
  });

  it('is followed by the next one on the same connection', () => {
    const reader = new ResponseReader();
    expect([reader.push(response('1')), reader.push(response(''))]).toEqual([
      { status: 200, body: '1' },
      { status: 200, body: '' },
    ]);
  });

  it('is refused rather than guessed', () => {
    expect(() => new ResponseReader().push(Buffer.from('SSH-2.0-OpenSSH\r\n\r\n'))).toThrow(
      'this is no HTTP/1.1 response',
    );
    expect(() =>
      new ResponseReader().push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')),
    ).toThrow('the response has no Content-Length');
    expect(() => new ResponseReader().push(Buffer.concat([response('1'), response('2')]))).toThrow(
      'the server sent more than one response to one request',
    );
  });
});
