/**
 * The HTTP client of the benchmarks: keep-alive connections over plain sockets, one request at a time on each. Node's
 * own client costs several times as much processor time for each request, which on a small machine would be taken from
 * what is measured.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { ResponseReader } from './response-reader.js';
import type { HttpResponse } from './response-reader.js';

interface Answer {
  resolve(response: HttpResponse): void;
  reject(error: Error): void;
}

class Connection {
  readonly #reader = new ResponseReader();
  #answer: Answer | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      try {
        const response = this.#reader.push(chunk);
        if (response !== null) this.#take().resolve(response);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => this.#answer?.reject(error));
    socket.on('close', () => this.#answer?.reject(new Error('the server closed the connection')));
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(request: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #take(): Answer {
    const answer = this.#answer;
    if (answer === null) throw new Error('the server sent a response that nobody asked for');
    this.#answer = null;
    return answer;
  }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly body?: string;
  /** Of the body; JSON when left out. */
  readonly mediaType?: string;
}

export class HttpClient {
  readonly #host: string;
  readonly #port: number;
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];

  /** `baseUrl` is `http://host:port`. */
  constructor(baseUrl: string) {
    const { hostname, port } = new URL(baseUrl);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Opens that many connections now, so that no measured request waits for one. */
  async open(connections: number): Promise<void> {
    const missing = connections - this.#idle.length;
    const opened = await Promise.all(Array.from({ length: Math.max(0, missing) }, () => this.#connect()));
    this.#idle.push(...opened);
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    // A request that finds no idle connection opens one.
    const connection = this.#idle.pop() ?? (await this.#connect());
    const response = await connection.send(this.#text(request));
    this.#idle.push(connection);
    return response;
  }

  /** The JSON value of a response with a status below 300. Throws Error with the body of any other. */
  async json(request: HttpRequest): Promise<unknown> {
    const { status, body } = await this.send(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path} answered ${status}: ${body}`);
    return JSON.parse(body);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
    this.#all.length = 0;
    this.#idle.length = 0;
  }

  #text({ method, path, body = '', mediaType = 'application/json' }: HttpRequest): string {
    const content =
      method === 'GET' ? '' : `Content-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}:${this.#port}\r\n${content}\r\n${body}`;
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#host, this.#port);
    this.#all.push(connection);
    return connection;
  }
}
