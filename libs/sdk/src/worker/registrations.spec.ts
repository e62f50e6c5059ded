import { describe, expect, it } from '@jest/globals';
import { catalogFromEntries, compileYaml, loadProgram } from '@graphrun/dsl';
import { contract } from '../testing/worker-fixture.js';
import { defineHandlers, defineReconcilers, handlersOf, reconcilersOf } from './define-handlers.js';
import { blocking } from './handler.js';
import { Registrations } from './registrations.js';

const catalog = {
  contracts: [contract('price'), contract('price', { version: 2 }), contract('render', { execution: 'blocking' })],
  reconcilers: [
    { name: 'lookup', version: 1, forwardActivity: { name: 'price', version: 1 } },
    { name: 'lookup', version: 2, forwardActivity: { name: 'price', version: 2 } },
    { name: 'orphan', version: 1, forwardActivity: { name: 'gone', version: 1 } },
  ],
  schemas: { 'any/v1': {} },
};

const forward = { roles: ['forward'] } as const;

function registrations(): Registrations {
  return new Registrations(catalog, 32);
}

function keysOf(registered: Registrations): readonly string[] {
  return registered.all().map(({ keyText }) => keyText);
}

describe('registering handlers', () => {
  it('refuses an activity that the catalog does not have', () => {
    expect(() => {
      registrations().add('prise', 1, () => 1, {});
    }).toThrow('the catalog has no activity prise/v1: add its contract, or correct the name');
  });

  it('serves both roles, as a step and to undo one, unless it is told which', () => {
    const registered = registrations();
    registered.add('price', 1, () => 1, {});
    registered.add('price', 2, () => 1, { roles: ['compensation'] });
    expect(keysOf(registered)).toEqual(['forward/price/1', 'compensation/price/1', 'compensation/price/2']);
  });

  it('refuses a second handler for the same activity, version and role', () => {
    const registered = registrations();
    registered.add('price', 1, () => 1, forward);
    registered.add('price', 2, () => 1, {});
    registered.add('price', 1, () => 1, { roles: ['compensation'] });
    expect(() => {
      registered.add('price', 1, () => 2, {});
    }).toThrow('price/v1 has a handler for the role forward already');
  });

  it('wants a module for blocking activities, and a function for the others', () => {
    expect(() => {
      registrations().add('render', 1, () => 1, {});
    }).toThrow(/^render\/v1 is blocking: give its handler as blocking\(/);
    expect(() => {
      registrations().add('price', 1, blocking('file:///render.js', 'render'), {});
    }).toThrow(/^price\/v1 is async: give its handler as a function/);
  });

  it('takes a name for all versions, except those that have a handler of their own', () => {
    const registered = registrations();
    const two = (): number => 2;
    registered.addAll({ price: { handler: () => 1, ...forward }, 'price/v2': { handler: two, ...forward } }, null, {});
    expect(keysOf(registered)).toEqual(['forward/price/1', 'forward/price/2']);
    expect(registered.get('forward/price/2')?.handler).toBe(two);
  });

  it('takes only the named activities, and says at once which of them it cannot serve', () => {
    const registered = registrations();
    registered.addAll({ price: () => 1, render: blocking('file:///render.js', 'render') }, ['price/v1'], {});
    expect(keysOf(registered)).toEqual(['forward/price/1', 'compensation/price/1']);
    expect(() => {
      registrations().addAll({ price: () => 1, pay: () => 1 }, ['price', 'pay', 'ship'], {});
    }).toThrow('no handler with a contract for pay, ship: the handler module and the catalog must both have it');
  });

  it('lets a fallback serve the rest', () => {
    const registered = registrations();
    registered.addAll({ 'price/v1': { handler: () => 1, ...forward } }, null, {});
    registered.addFallback((input) => input);
    expect(keysOf(registered)).toEqual([
      'forward/price/1',
      'compensation/price/1',
      'forward/price/2',
      'compensation/price/2',
      'forward/render/1',
      'compensation/render/1',
    ]);
  });
});

describe('registering reconcilers', () => {
  it('takes the contract of the activity that the catalog names for it', () => {
    const registered = registrations();
    registered.addReconciler('lookup', 2, () => 'unknown', {});
    registered.add('price', 2, () => 1, forward);
    expect(keysOf(registered)).toEqual(['reconciliation/lookup/2', 'forward/price/2']);
    expect(registered.get('reconciliation/lookup/2')?.contractDigest).toBe(
      registered.get('forward/price/2')?.contractDigest,
    );
  });

  it('refuses what the catalog does not have, the reconciler or its activity', () => {
    expect(() => {
      registrations().addReconciler('look', 1, () => 'unknown', {});
    }).toThrow('the catalog has no reconciler look/v1: add it with its forward_activity, or correct the name');
    expect(() => {
      registrations().addReconciler('orphan', 1, () => 'unknown', {});
    }).toThrow('the catalog has no activity gone/v1, which the reconciler orphan/v1 answers for');
  });

  it('goes with the activities that are named, or by its own name', () => {
    const reconcilers = { lookup: () => 'unknown' as const, orphan: () => 'unknown' as const };
    const handlers = { price: { handler: () => 1, ...forward } };
    const all = registrations();
    all.addAll(handlers, null, reconcilers);
    expect(keysOf(all).slice(2)).toEqual(['reconciliation/lookup/1', 'reconciliation/lookup/2']);
    const one = registrations();
    one.addAll(handlers, ['price/v2'], reconcilers);
    expect(keysOf(one)).toEqual(['forward/price/2', 'reconciliation/lookup/2']);
    const alone = registrations();
    alone.addAll(handlers, ['lookup/v1'], reconcilers);
    expect(keysOf(alone)).toEqual(['reconciliation/lookup/1']);
  });
});

describe('contract digests', () => {
  it('are those of a program that uses the contract', () => {
    const compiled = compileYaml(
      `{ dsl: graphrun/v1, id: quote, version: 1, input_schema: any/v1, output_schema: any/v1, start: ask, nodes: {
        ask: { kind: activity, activity: { name: price, version: 2 }, input: { from: workflow.input }, next: end },
        end: { kind: complete, output: { from: nodes.ask.output } } } }`,
      { catalog: catalogFromEntries(catalog) },
    );
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    const program = loadProgram(compiled.artifact);
    const registered = registrations();
    registered.add('price', 2, () => null, {});
    expect(registered.get('forward/price/2')?.contractDigest).toBe(
      program.contractDigest({ name: 'price', version: 2 }),
    );
  });
});

describe('handler modules', () => {
  it('export a map of handlers', () => {
    const handlers = defineHandlers({ 'price/v1': () => 1 });
    expect(handlersOf({ handlers }, 'm.js')).toBe(handlers);
  });

  it('without one, or with something else in it, are refused by name', () => {
    expect(() => handlersOf({}, 'm.js')).toThrow("m.js exports no 'handlers'");
    expect(() => handlersOf({ handlers: { price: 3 } }, 'm.js')).toThrow(
      "the handler 'price' of m.js is neither a function, nor blocking(...), nor { handler, ... }",
    );
    expect(() => handlersOf({ handlers: { 'price v1': () => 1 } }, 'm.js')).toThrow("'price v1' is no activity");
  });

  it('may export reconcilers beside them', () => {
    const reconcilers = defineReconcilers({ lookup: () => 'not_applied' });
    expect(reconcilersOf({ reconcilers }, 'm.js')).toBe(reconcilers);
    expect(reconcilersOf({}, 'm.js')).toEqual({});
    expect(() => reconcilersOf({ reconcilers: 3 }, 'm.js')).toThrow("the 'reconcilers' of m.js are no map");
    expect(() => reconcilersOf({ reconcilers: { lookup: 'unknown' } }, 'm.js')).toThrow(
      "the reconciler 'lookup' of m.js is neither a function, nor blocking(...), nor { handler, ... }",
    );
    expect(() => defineReconcilers({ 'look up': () => 'unknown' })).toThrow("'look up' is no reconciler");
  });
});
