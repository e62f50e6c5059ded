import { describe, expect, it } from '@jest/globals';
import type { Binding } from '../ir.js';
import type { Json } from '../value.js';
import { evaluate } from './evaluate.js';

const values: Record<string, Json> = {
  'workflow.input': { a: null, list: [10, 20], deep: { 'x/y': true } },
  'nodes.charge.output': 'paid',
};
const frame = { read: (reference: string): Json | undefined => values[reference] };
const valueOf = (binding: Binding): unknown => evaluate(binding, frame);

describe('evaluate', () => {
  it('reads whole values and pointers', () => {
    expect(valueOf({ from: 'nodes.charge.output' })).toEqual({ ok: true, value: 'paid' });
    expect(valueOf({ from: 'workflow.input', path: '/list/1' })).toEqual({ ok: true, value: 20 });
    expect(valueOf({ from: 'workflow.input', path: '/deep/x~1y' })).toEqual({ ok: true, value: true });
  });

  it('takes an explicit null as a value, not as missing', () => {
    expect(valueOf({ from: 'workflow.input', path: '/a', default: 1 })).toEqual({ ok: true, value: null });
  });

  it('takes the default for what is missing', () => {
    expect(valueOf({ from: 'workflow.input', path: '/b', default: [] })).toEqual({ ok: true, value: [] });
    expect(valueOf({ from: 'workflow.input', path: '/a/b', default: null })).toEqual({ ok: true, value: null });
  });

  it.each(['/b', '/a/b', '/list/2', '/deep/x~1y/z'])('reports %s as missing without a default', (path) => {
    expect(valueOf({ from: 'workflow.input', path })).toEqual({
      ok: false,
      code: 'binding.missing',
      message: `There is no value at "${path}" of workflow.input, and the binding has no default`,
    });
  });

  it('builds objects and arrays, and coerces nothing', () => {
    const binding: Binding = {
      object: { n: { literal: '1' }, list: { array: [{ literal: 1 }, { from: 'nodes.charge.output' }] } },
    };
    expect(valueOf(binding)).toEqual({ ok: true, value: { n: '1', list: [1, 'paid'] } });
  });

  it('fails as a whole when a part is missing', () => {
    expect(valueOf({ array: [{ literal: 1 }, { from: 'workflow.input', path: '/no' }] })).toMatchObject({ ok: false });
    expect(valueOf({ object: { a: { from: 'workflow.input', path: '/no' } } })).toMatchObject({ ok: false });
  });

  it('builds a member called __proto__ as a member', () => {
    const result = evaluate({ object: Object.fromEntries([['__proto__', { literal: 1 }]]) }, frame);
    expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__']);
  });
});
