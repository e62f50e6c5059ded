/** One HTTP request and what came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // What comes back is what a test examines.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface Asked {
  readonly method?: string;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(url: string, path: string, asked: Asked = {}): Promise<Answer> {
  const content = asked.text ?? (asked.json === undefined ? null : JSON.stringify(asked.json));
  const response = await fetch(url + path, {
    method: asked.method ?? (content === null ? 'GET' : 'POST'),
    headers: { ...(content !== null && { 'content-type': 'application/json' }), ...asked.headers },
    body: content,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}
