/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';

/** Gives its input back. */
function echo(id: string, fields: Record<string, unknown> = {}, output: unknown = { from: 'workflow.input' }) {
  return {
    dsl: 'graphrun/v1',
    id,
    version: 1,
    input_schema: 'integer/v1',
    output_schema: 'integer/v1',
    ...fields,
    start: 'end',
    nodes: { end: { kind: 'complete', output } },
  };
}

const DESCRIBED = `# Kept as it is, comments and "quotes" and all: ä, \u{1F600}
dsl: graphrun/v1
id: described
version: 1
description: gives its input back
input_schema: integer/v1
output_schema: integer/v1
start: end
nodes:
  end:
    kind: complete
    labels: { team: shop, reviewed: true, weight: 2 }
    output: { from: workflow.input }
`;

describe('definitions over HTTP', () => {
  let system: EmbeddedControl;
  let url: string;
  /** Where nothing of this is published. */
  let other: EmbeddedControl;
  const publish = (json: unknown) => ask(url, '/v1/definitions', { json });
  const read = async (path: string) => (await ask(url, `/v1/definitions/${path}`)).body;

  beforeAll(async () => {
    [system, other] = [await embeddedControl(), await embeddedControl()];
    url = system.url;
  }, 60_000);

  afterAll(() => Promise.all([system.close(), other.close()]));

  it('keep the document as it was written first, with its descriptions and labels', async () => {
    const written = {
      source: DESCRIBED,
      annotations: {
        '': { description: 'gives its input back' },
        '/root/nodes/end': { labels: { team: 'shop', reviewed: true, weight: 2 } },
      },
    };
    const headers = { 'content-type': 'application/yaml' };
    const first = await ask(url, '/v1/definitions', { text: DESCRIBED, headers });
    expect(first.status).toBe(200);
    expect(await read('described/1')).toMatchObject(written);
    // Another text with the same meaning is the same version: what stands there stays.
    const again = await publish({ yaml: DESCRIBED.replace('gives its input back', 'does nothing') });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await read('described/latest')).toMatchObject(written);
  });

  it('have no source when an artifact was published', async () => {
    await publish({ document: echo('origin', { description: 'for people' }) });
    const { artifact } = await read('origin/1');
    const answer = await ask(other.url, '/v1/definitions', { json: { artifact } });
    expect(answer).toMatchObject({ status: 200, body: { workflow: 'origin', digest: artifact.digest, warnings: [] } });
    const { body } = await ask(other.url, '/v1/definitions/origin/1');
    expect(body).toMatchObject({ digest: artifact.digest, artifact, source: null, annotations: {} });
  });

  it('can be plain JSON that says what the YAML would', async () => {
    const literal = { 'key: "x"': ['1', 1.5, 1e-7, null, true, '- é\u2028\n\t\u007f', { '': {} }], nested: [[[]]] };
    const document = echo('plain', { output_schema: 'any/v1', input_schema: 'any/v1' }, { literal });
    const schemas = { 'any/v1': {} };
    await ask(url, '/v1/catalogs', { json: { format: 'graphrun.catalog/v1', schemas } });
    const fromJson = await publish({ document });
    expect(fromJson.status).toBe(200);
    const { artifact, source } = await read('plain/1');
    expect(artifact.definition.root.nodes.end.output).toEqual({ literal });
    expect(source).toBe(JSON.stringify(document, null, 2));
    // What was kept is the document: published as YAML it is the same definition.
    expect((await publish({ yaml: source })).body).toEqual(fromJson.body);
    expect((await ask(url, '/v1/validate', { json: { document } })).body).toEqual({
      valid: true,
      digest: fromJson.body.digest,
      diagnostics: [],
      extensions: [],
    });
  });

  it('are refused with places in the laid out text when the document is wrong', async () => {
    const document = echo('wrong', {}, { from: 'workflow.inputt' });
    const answer = await publish({ document });
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidArgument' } });
    const [diagnostic] = answer.body.diagnostics;
    const lines = JSON.stringify(document, null, 2).split('\n');
    expect(diagnostic).toMatchObject({ code: 'GR1302', file: 'workflow.json', severity: 'error' });
    expect(lines[diagnostic.line - 1]?.slice(diagnostic.column - 1)).toMatch(/^"workflow\.inputt"/);
    expect((await ask(url, '/v1/validate', { json: { document, file: 'mine.json' } })).body).toMatchObject({
      valid: false,
      diagnostics: [{ ...diagnostic, file: 'mine.json' }],
    });
  });

  it.each<[string, string, string]>([
    [
      'an integer beyond the safe range',
      '9007199254740993',
      'is an integer beyond 9007199254740991; send it as a string',
    ],
    ['a number beyond all', '1e999', 'is not a finite number'],
    ['minus zero', '-0', 'is -0; write 0'],
    ['half of a surrogate pair', String.raw`"\ud800"`, 'holds half of a surrogate pair, which is not text'],
  ])('refuse %s in a JSON document with its pointer', async (_what, literal, message) => {
    const text = `{"document":${JSON.stringify(echo('numbers', {}, { literal: 0 })).replace(':0}', `:${literal}}`)}}`;
    for (const path of ['/v1/definitions', '/v1/validate']) {
      expect(await ask(url, path, { text })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/document/nodes/end/output/literal', message }] },
      });
    }
  });

  it('refuse a text that could not be kept as it is, though its values are sound', async () => {
    for (const [what, comment] of [
      ['holds a NUL character, which cannot be stored', '\u0000'],
      ['holds half of a surrogate pair, which is not text', '\ud800'],
    ]) {
      const yaml = `${JSON.stringify(echo('comment'))} # ${comment}`;
      const answer = await publish({ yaml });
      expect(answer).toMatchObject({ status: 400, body: { detail: `The text of the definition ${what}.` } });
    }
    expect((await ask(url, '/v1/definitions/comment')).status).toBe(404);
  });

  it('say what the compiler warns of and what goes beyond the original language', async () => {
    const document = echo('warned', { description: 'has a default' }, { from: 'workflow.input', default: 1 });
    const validation = (await ask(url, '/v1/validate', { json: { document } })).body;
    expect(validation).toMatchObject({
      valid: true,
      diagnostics: [{ code: 'GR1308', severity: 'warning' }],
      extensions: ['default', 'description'],
    });
    expect((await publish({ document })).body.warnings).toEqual(validation.diagnostics);
    const broken = echo('broken', { description: 'is not valid' }, {});
    expect((await ask(url, '/v1/validate', { json: { document: broken } })).body).toMatchObject({
      valid: false,
      digest: null,
      extensions: [],
    });
  });

  it('are drawn, descriptions and labels included, for viewers that run and load nothing', async () => {
    const nodes = {
      fetch: { kind: 'delay', duration: '10ms', next: 'end', description: 'waits <for> "it" & more' },
      end: { kind: 'complete', output: { from: 'workflow.input' } },
    };
    await publish({ document: { ...echo('drawn', { description: 'a picture' }), start: 'fetch', nodes } });
    const svg = await ask(url, '/v1/definitions/drawn/1/graph');
    expect(svg.status).toBe(200);
    expect(svg.body).toMatch(/^<svg [^]*<\/svg>\n$/);
    for (const text of ['drawn v1', 'a picture', 'fetch', 'waits &lt;for&gt;']) expect(svg.body).toContain(text);
    expect(svg.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(svg.headers.get('x-content-type-options')).toBe('nosniff');
    const themed = await Promise.all(
      ['auto', 'light', 'dark'].map(
        async (theme) =>
          (await ask(url, `/v1/definitions/drawn/latest/graph?format=svg&theme=${theme}`)).body as string,
      ),
    );
    expect(themed[0]).toBe(svg.body);
    expect(new Set(themed).size).toBe(3);
    const mermaid = await ask(url, '/v1/definitions/drawn/1/graph?format=mermaid');
    expect(mermaid.body).toMatch(/^[^]*flowchart[^]*fetch[^]*end/);
    expect(mermaid.headers.get('content-type')).toBe('text/vnd.mermaid; charset=utf-8');
  });

  it.each([
    ['an unknown format', 'graph?format=png', 400, '?format must be one of svg, mermaid.'],
    ['an unknown theme', 'graph?theme=blue', 400, '?theme must be one of auto, light, dark.'],
    ['an unknown parameter', 'graph?scale=2', 400, '?scale is not a known parameter; known are format, theme.'],
    [
      'a version that is none',
      'graph',
      404,
      'There is no definition order version 9; GET /v1/definitions lists what is published.',
    ],
  ])('are not drawn for %s', async (_what, path, status, detail) => {
    const answer = await ask(url, `/v1/definitions/order/${status === 404 ? 9 : 1}/${path}`);
    expect(answer).toMatchObject({ status, body: { detail } });
  });

  it('may use what this engine cannot run yet: they are published, and a start is refused', async () => {
    const found = { search_attributes: { amount: { from: 'workflow.input', path: '' } } };
    const published = await publish({ document: { ...echo('later'), ...found } });
    expect(published.status).toBe(200);
    expect(await ask(url, '/v1/runs', { json: { workflow: 'later', input: 1 } })).toMatchObject({
      status: 412,
      body: {
        code: 'FailedPrecondition',
        detail: 'the search_attributes of later version 1 cannot be executed by this version of the engine',
      },
    });
  });
});
