/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';
import type { Asked } from '../spec/request.js';

const NO_RUN = '01900000-0000-7000-8000-000000000000';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly asked: Asked;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Further members of the problem. */
  readonly more?: Record<string, unknown>;
}

const TITLES: Readonly<Record<string, string>> = {
  InvalidArgument: 'The request is not valid',
  NotFound: 'Not found',
  AlreadyExists: 'It exists already with other content',
  ResourceExhausted: 'A limit is reached',
  PermissionDenied: 'Not permitted',
};

const TYPES: Readonly<Record<string, string>> = {
  InvalidArgument: 'urn:graphrun:problem:invalid-argument',
  NotFound: 'urn:graphrun:problem:not-found',
  AlreadyExists: 'urn:graphrun:problem:already-exists',
  ResourceExhausted: 'urn:graphrun:problem:resource-exhausted',
  PermissionDenied: 'urn:graphrun:problem:permission-denied',
};

function invalid(name: string, path: string, asked: Asked, errors: readonly [string, string][]): Case {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return {
    name,
    path,
    asked,
    status: 400,
    code: 'InvalidArgument',
    detail: `${first?.[0] === '' ? 'the body' : first?.[0]} ${first?.[1]}${more}.`,
    more: { errors: errors.map(([pointer, message]) => ({ pointer, message })) },
  };
}

const START = { workflow: 'order', input: { order_id: 'o-1', amount: 1 } };
const NAME = 'must be a name of 1 to 64 characters of A-Z a-z 0-9 _ . -';
const VERSION = 'must be a positive integer or "latest"';
const PLAIN_TEXT = (bytes: number) => `must be a text of 1 to ${bytes} bytes without NUL or lone surrogates`;

const CASES: readonly Case[] = [
  {
    name: 'a body that is no JSON',
    path: '/v1/runs',
    asked: { text: '{"workflow": ' },
    status: 400,
    code: 'InvalidArgument',
    detail: 'The body is not JSON: Unexpected end of JSON input.',
  },
  {
    name: 'no body',
    path: '/v1/runs',
    asked: { method: 'POST' },
    status: 400,
    code: 'InvalidArgument',
    detail: 'The request has no body; send a JSON object.',
  },
  invalid('a body that is no object', '/v1/runs', { json: [] }, [
    ['', 'must be an object with workflow, version, input, start_key'],
  ]),
  {
    name: 'another content type',
    path: '/v1/runs',
    asked: { text: 'workflow=order', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    status: 415,
    code: 'InvalidArgument',
    detail: 'The content type must be application/json, or application/yaml for definitions.',
    more: { expected: ['application/json', 'application/yaml'] },
  },
  {
    name: 'YAML where JSON is wanted',
    path: '/v1/runs',
    asked: { text: 'workflow: order', headers: { 'content-type': 'application/yaml' } },
    status: 415,
    code: 'InvalidArgument',
    detail: 'This request takes application/json.',
    more: { expected: ['application/json'] },
  },
  {
    name: 'a body over the limit',
    path: '/v1/runs',
    asked: { json: { ...START, input: 'x'.repeat(1024 * 1024) } },
    status: 413,
    code: 'ResourceExhausted',
    detail: 'The body is over 1048576 bytes; store large values elsewhere and pass a reference.',
    more: { limit: 'body_bytes', max: 1024 * 1024 },
  },
  invalid(
    'everything wrong at once',
    '/v1/runs',
    { json: { workflow: 'no spaces', version: 0, start_key: '', extra: 1 } },
    [
      ['/extra', 'is not a known field; known are workflow, version, input, start_key'],
      ['/workflow', NAME],
      ['/version', VERSION],
      ['/input', 'is required'],
      ['/start_key', PLAIN_TEXT(128)],
    ],
  ),
  invalid(
    'an integer that would be rounded',
    '/v1/runs',
    { text: '{"workflow":"order","input":{"amount":9007199254740993}}' },
    [['/input/amount', 'is an integer beyond 9007199254740991; send it as a string']],
  ),
  invalid('a version that is a fraction', '/v1/runs', { json: { ...START, version: 1.5 } }, [['/version', VERSION]]),
  invalid('a NUL in the input', '/v1/runs', { json: { ...START, input: { order_id: 'a\u0000b' } } }, [
    ['/input/order_id', 'holds a NUL character, which cannot be stored'],
  ]),
  invalid('a payload over the limit', '/v1/runs', { json: { ...START, input: 'x'.repeat(256 * 1024) } }, [
    ['/input', 'is larger than 262144 bytes; store it elsewhere and pass a reference'],
  ]),
  invalid('a start key over 128 bytes', '/v1/runs', { json: { ...START, start_key: 'ä'.repeat(65) } }, [
    ['/start_key', PLAIN_TEXT(128)],
  ]),
  invalid('a duration without a unit', '/v1/runs?wait=30', { json: START }, [
    ['?wait', 'must be a duration such as 500ms, 30s or 2m, at most 300s'],
  ]),
  invalid('a wait that is too long', '/v1/runs?wait=6m', { json: START }, [
    ['?wait', 'must be a duration such as 500ms, 30s or 2m, at most 300s'],
  ]),
  invalid('an unknown parameter', '/v1/runs?await=30s', { json: START }, [
    ['?await', 'is not a known parameter; known are wait'],
  ]),
  {
    name: 'an Idempotency-Key with spaces',
    path: '/v1/runs',
    asked: { json: START, headers: { 'idempotency-key': 'my key' } },
    status: 400,
    code: 'InvalidArgument',
    detail: 'Idempotency-Key must be 1 to 128 characters of A-Z a-z 0-9 _ . : -.',
  },
  {
    name: 'a workflow that is not published',
    path: '/v1/runs',
    asked: { json: { ...START, workflow: 'nothing' }, headers: { 'idempotency-key': 'c-nothing' } },
    status: 404,
    code: 'NotFound',
    detail: 'no definition of nothing is published; publish it first',
    more: { command_id: 'c-nothing' },
  },
  invalid('an id that is none', '/v1/runs/42', {}, [
    ['id', `must be the id of a run, such as 0190a7b0-7a3c-7c1e-9f2d-0123456789ab`],
  ]),
  {
    name: 'a run that does not exist',
    path: `/v1/runs/${NO_RUN}`,
    asked: {},
    status: 404,
    code: 'NotFound',
    detail: `There is no run ${NO_RUN}.`,
  },
  {
    name: 'the history of a run that does not exist',
    path: `/v1/runs/${NO_RUN}/history`,
    asked: {},
    status: 404,
    code: 'NotFound',
    detail: `There is no run ${NO_RUN}.`,
  },
  invalid('a page of nothing', `/v1/runs/${NO_RUN}/history?limit=0&from_seq=-1`, {}, [
    ['?from_seq', 'must be an integer from 1 to 9007199254740991'],
    ['?limit', 'must be an integer from 1 to 1000'],
  ]),
  invalid('a cancel without a reason', `/v1/runs/${NO_RUN}/cancel`, { json: {} }, [['/reason', 'is required']]),
  invalid('a reason of nothing', `/v1/runs/${NO_RUN}/pause`, { json: { reason: '', expected_seq: 0 } }, [
    ['/reason', PLAIN_TEXT(1024)],
    ['/expected_seq', 'must be an integer from 1 to 9007199254740991'],
  ]),
  invalid('a resume of nothing', `/v1/runs/${NO_RUN}/resume`, { json: { expectedSeq: 3 } }, [
    ['/expectedSeq', 'is not a known field; known are reason, expected_seq'],
    ['/reason', 'is required'],
  ]),
  invalid(
    'a signal in which everything is wrong',
    `/v1/runs/${NO_RUN}/signals`,
    { json: { signal: 'no spaces', key: 'ä'.repeat(129), event_id: 'my event', run: NO_RUN } },
    [
      ['/run', 'is not a known field; known are signal, key, payload, event_id'],
      ['/signal', NAME],
      ['/key', 'must be a text of 0 to 256 bytes without NUL or lone surrogates'],
      ['/payload', 'is required'],
      ['/event_id', 'must be 1 to 128 characters of A-Z a-z 0-9 _ . : -'],
    ],
  ),
  invalid(
    'an integer in a signal that would be rounded',
    `/v1/runs/${NO_RUN}/signals`,
    { text: '{"signal":"paid","key":"","payload":[9007199254740993]}' },
    [['/payload/0', 'is an integer beyond 9007199254740991; send it as a string']],
  ),
  invalid('a resolve of nothing', `/v1/runs/${NO_RUN}/resolve`, { json: {} }, [
    ['/activation', 'is required'],
    ['/resolution', 'is required'],
    ['/reason', 'is required'],
    ['/expected_seq', 'is required'],
  ]),
  ...(
    [
      ['is none', 'applied', [['/resolution', 'must be an object with kind and what belongs to it']]],
      [
        'is of an unknown kind',
        { kind: 'skip' },
        [['/resolution/kind', 'must be one of applied, not_applied, retry, fail, input']],
      ],
      ['has no kind', {}, [['/resolution/kind', 'must be one of applied, not_applied, retry, fail, input']]],
      ['lacks its output', { kind: 'applied' }, [['/resolution/output', 'is required']]],
      [
        'has what belongs to another',
        { kind: 'not_applied', output: 1 },
        [['/resolution/output', 'is not a known field; known are kind']],
      ],
      [
        'asks for too much',
        { kind: 'retry', attempts: 11 },
        [['/resolution/attempts', 'must be an integer from 1 to 10']],
      ],
      [
        'fails with nothing',
        { kind: 'fail', failure: { code: '' } },
        [
          ['/resolution/failure/code', NAME],
          ['/resolution/failure/message', 'is required'],
        ],
      ],
    ] satisfies [string, unknown, [string, string][]][]
  ).map(([name, resolution, errors]) =>
    invalid(
      `a resolution that ${name}`,
      `/v1/runs/${NO_RUN}/resolve`,
      { json: { activation: 'a1', resolution, reason: 'r', expected_seq: 1 } },
      errors,
    ),
  ),
  invalid(
    'an activation that is none',
    `/v1/runs/${NO_RUN}/resolve`,
    { json: { activation: 's1', resolution: { kind: 'not_applied' }, reason: 'r', expected_seq: 1 } },
    [['/activation', 'must be an activation such as a7, or a7c for its compensation']],
  ),
  ...['abandon', 'terminate', 'reopen'].flatMap((action) => [
    invalid(`a command to ${action} without a state it was decided on`, `/v1/runs/${NO_RUN}/${action}`, { json: {} }, [
      ['/reason', 'is required'],
      ['/expected_seq', 'is required'],
    ]),
  ]),
  ...(
    [
      ['signals', { signal: 'paid', key: 'k', payload: null }],
      ['cancel', { reason: 'r' }],
      ['pause', { reason: 'r' }],
      ['resume', { reason: 'r' }],
      ['resolve', { activation: 'a1', resolution: { kind: 'not_applied' }, reason: 'r', expected_seq: 1 }],
      ['abandon', { reason: 'r', expected_seq: 1 }],
      ['terminate', { reason: 'r', expected_seq: 1 }],
      ['reopen', { reason: 'r', expected_seq: 1, version: 2 }],
    ] satisfies [string, unknown][]
  ).map(([action, json]) => ({
    name: `${action} of a run that does not exist`,
    path: `/v1/runs/${NO_RUN}/${action}`,
    asked: { json, headers: { 'idempotency-key': `${action}-nothing` } },
    status: 404,
    code: 'NotFound',
    detail: `no run ${NO_RUN}`,
    more: { command_id: `${action}-nothing` },
  })),
  invalid('an action on an id that is none', '/v1/runs/42/pause', { json: { reason: 'r' } }, [
    ['id', `must be the id of a run, such as 0190a7b0-7a3c-7c1e-9f2d-0123456789ab`],
  ]),
  {
    name: 'an action that does not exist',
    path: `/v1/runs/${NO_RUN}/restart`,
    asked: { json: {} },
    status: 404,
    code: 'NotFound',
    detail: `There is no POST /v1/runs/${NO_RUN}/restart; GET /openapi.json lists what there is.`,
  },
  invalid('filters that mean nothing', '/v1/runs?status=running&created_after=yesterday&limit=1000', {}, [
    [
      '?status',
      'must be one or more of active, stopping, blocked, succeeded, failed, cancelled, continued, terminated, separated by commas',
    ],
    ['?created_after', 'must be UTC milliseconds, or a time with zone such as 2026-01-31T12:00:00Z'],
    ['?limit', 'must be an integer from 1 to 500'],
  ]),
  invalid('a cursor with spaces', '/v1/runs?cursor=not%20one', {}, [
    ['?cursor', 'must be the cursor of an earlier page, unchanged'],
  ]),
  {
    name: 'a command nobody has sent',
    path: '/v1/commands/nobody',
    asked: {},
    status: 404,
    code: 'NotFound',
    detail:
      'The command nobody is not known yet: it has not been applied so far, or its result is older than 24 h. Ask again, or send the same request again with this Idempotency-Key.',
    more: { command_id: 'nobody', outcome: 'unknown' },
  },
  invalid('a definition that is both YAML and artifact', '/v1/definitions', { json: { yaml: '', artifact: {} } }, [
    ['', 'must hold exactly one of yaml, document and artifact'],
  ]),
  invalid('an artifact of an unknown format', '/v1/definitions', { json: { artifact: { format: 'x' } } }, [
    ['/artifact/format', 'must be "graphrun.artifact/v1"'],
  ]),
  {
    name: 'a definition that is not published',
    path: '/v1/definitions/order/99',
    asked: {},
    status: 404,
    code: 'NotFound',
    detail: 'There is no definition order version 99; GET /v1/definitions lists what is published.',
  },
  {
    name: 'a path that does not exist',
    path: '/v1/nothing',
    asked: {},
    status: 404,
    code: 'NotFound',
    detail: 'There is no GET /v1/nothing; GET /openapi.json lists what there is.',
  },
  {
    name: 'a method that does not exist',
    path: '/v1/runs',
    asked: { method: 'DELETE' },
    status: 404,
    code: 'NotFound',
    detail: 'There is no DELETE /v1/runs; GET /openapi.json lists what there is.',
  },
  {
    name: 'a path that is not decodable',
    path: '/v1/runs/%zz',
    asked: {},
    status: 400,
    code: 'InvalidArgument',
    detail: "The request is malformed: '/v1/runs/%zz' is not a valid url component.",
  },
  {
    name: 'a request from a page of another origin',
    path: '/v1/runs',
    asked: { headers: { origin: 'https://example.com' } },
    status: 403,
    code: 'PermissionDenied',
    detail: 'Requests from pages of other origins are refused.',
  },
];

describe('broken requests', () => {
  let system: EmbeddedControl;

  beforeAll(async () => {
    system = await embeddedControl();
  }, 60_000);

  afterAll(() => system.close());

  it.each(CASES)('$name: $status $code', async ({ path, asked, status, code, detail, more }) => {
    const answer = await ask(system.url, path, asked);
    expect(answer.body).toEqual({ type: TYPES[code], title: TITLES[code], status, detail, code, ...more });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('answers an input that breaks its schema with the pointer into it', async () => {
    const answer = await ask(system.url, '/v1/runs', {
      json: { workflow: 'order', input: { order_id: 'o-1', amount: 'many' } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('InvalidArgument');
    expect(answer.body.detail).toContain('/amount');
  });

  it('lists every diagnostic of a definition that is not valid', async () => {
    const yaml = 'dsl: graphrun/v1\nid: broken\nversion: 0\nstart: nowhere\nnodes: {}\n';
    const answer = await ask(system.url, '/v1/definitions', {
      text: yaml,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(
      /^The definition is not valid: \d+ errors, first workflow.yaml:\d+:\d+ GR\d{4} /,
    );
    expect(answer.body.diagnostics.length).toBeGreaterThanOrEqual(3);
    for (const diagnostic of answer.body.diagnostics) {
      expect(Object.keys(diagnostic)).toEqual([
        'code',
        'message',
        'file',
        'line',
        'column',
        'end_line',
        'end_column',
        'severity',
      ]);
    }
  });

  it('refuses a contract that is published with other content', async () => {
    const catalog = (await ask(system.url, '/v1/catalogs')).body;
    const [first] = catalog.activities;
    const changed = { ...catalog, activities: [{ ...first, effects: 'pure', recovery: 'Manual' }], reconcilers: [] };
    delete changed.activities[0].reconciler;
    const answer = await ask(system.url, '/v1/catalogs', { json: changed });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('AlreadyExists');
    expect(answer.body.detail).toContain(first.name);
  });
});
