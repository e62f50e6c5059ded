/**
 * Reads HTTP/1.1 responses with a Content-Length from a keep-alive connection, one after the other. Only what a JSON
 * API sends is understood; anything else is an error, never a guess.
 */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3}) /;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)(?:\r\n|$)/i;

export class ResponseReader {
  #pending: Buffer | null = null;

  /** Adds what arrived. The response that is complete with it, or null. Throws Error for bytes that do not belong. */
  push(chunk: Buffer): HttpResponse | null {
    const bytes = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#pending = bytes;
      return null;
    }
    const head = bytes.toString('latin1', 0, headEnd);
    const status = STATUS_LINE.exec(head)?.[1];
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (status === undefined) throw new Error(`this is no HTTP/1.1 response: ${head.slice(0, 60)}`);
    if (length === undefined) throw new Error(`the response has no Content-Length: ${head}`);
    const bodyStart = headEnd + HEAD_END.length;
    const end = bodyStart + Number(length);
    if (bytes.length < end) {
      this.#pending = bytes;
      return null;
    }
    if (bytes.length > end) throw new Error('the server sent more than one response to one request');
    this.#pending = null;
    return { status: Number(status), body: bytes.toString('utf8', bodyStart, end) };
  }
}
