import { describe, expect, it } from '@jest/globals';
import { catalogFromEntries, compileYaml, loadProgram } from '@graphrun/dsl';
import { contract } from '../testing/worker-fixture.js';
import { defineHandlers, handlersOf } from './define-handlers.js';
import { blocking } from './handler.js';
import { Registrations } from './registrations.js';

const catalog = {
  contracts: [contract('price'), contract('price', { version: 2 }), contract('render', { execution: 'blocking' })],
  schemas: { 'any/v1': {} },
};

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

  it('refuses a second handler for the same activity, version and role', () => {
    const registered = registrations();
    registered.add('price', 1, () => 1, {});
    registered.add('price', 2, () => 1, {});
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
    registered.addAll({ price: () => 1, 'price/v2': two }, null);
    expect(keysOf(registered)).toEqual(['forward/price/1', 'forward/price/2']);
    expect(registered.get('forward/price/2')?.handler).toBe(two);
  });

  it('takes only the named activities, and says at once which of them it cannot serve', () => {
    const registered = registrations();
    registered.addAll({ price: () => 1, render: blocking('file:///render.js', 'render') }, ['price/v1']);
    expect(keysOf(registered)).toEqual(['forward/price/1']);
    expect(() => {
      registrations().addAll({ price: () => 1, pay: () => 1 }, ['price', 'pay', 'ship']);
    }).toThrow('no handler with a contract for pay, ship: the handler module and the catalog must both have it');
  });

  it('lets a fallback serve the rest', () => {
    const registered = registrations();
    registered.addAll({ 'price/v1': () => 1 }, null);
    registered.addFallback((input) => input);
    expect(keysOf(registered)).toEqual(['forward/price/1', 'forward/price/2', 'forward/render/1']);
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
});
