/** Workflows that the tests draw. */
import type { Annotations, Condition, Definition, Node, Region } from '@graphrun/dsl';
import {
  activity,
  choose,
  complete,
  definition,
  delay,
  doWhileLoop,
  fail,
  foreach,
  irreversible,
  is,
  isMore,
  onError,
  parallel,
  region,
  repeat,
  saga,
  undoneBy,
  waitSignal,
  waitUntil,
  whileLoop,
} from './build.js';

export function sequence(): Definition {
  return definition(
    'order',
    region({
      reserve: activity('inventory.reserve', 'charge'),
      charge: activity('payment.charge', 'finish'),
      finish: complete(),
    }),
  );
}

/** A saga, a choice, a timed wait and errors that are dealt with. */
export function fulfilment(): Definition {
  const booking = region({
    reserve: activity('inventory.reserve', 'charge', undoneBy('inventory.release')),
    charge: activity('payment.charge', 'notify', undoneBy('payment.refund')),
    notify: activity('mail.confirm', 'booked', irreversible('a mail cannot be taken back')),
    booked: complete(),
  });
  const express = region({ courier: activity('shipping.courier', 'sent'), sent: complete() });
  const insured = region({
    insure: activity('insurance.buy', 'parcel'),
    parcel: activity('shipping.parcel', 'sent'),
    sent: complete(),
  });
  const plain = region({ parcel: activity('shipping.parcel', 'sent'), sent: complete() });
  return definition(
    'fulfilment',
    region({
      check: activity('orders.check', 'book', onError('refused', 'order.unknown', 'order.closed')),
      book: saga(booking, 'ship', onError('out_of_stock', 'out_of_stock')),
      ship: choose(
        {
          express: [is('scope.input', '/tier', 'gold'), express],
          insured: [isMore('scope.input', '/total', 500), insured],
        },
        plain,
        'delivery',
      ),
      delivery: waitSignal('delivered', 'done', 'ask'),
      ask: activity('carrier.ask', 'done', onError('lost')),
      done: complete(),
      out_of_stock: activity('mail.apologise', 'unavailable'),
      unavailable: fail('order.unavailable', 'The goods are out of stock.'),
      refused: fail('order.refused', 'The order cannot be fulfilled.'),
      lost: fail('order.lost', 'The carrier does not know where the parcel is.'),
    }),
  );
}

export const FULFILMENT_ANNOTATIONS: Annotations = {
  '': { description: 'From a paid basket to a delivered parcel.', labels: { team: 'orders', tier: 1 } },
  '/root/nodes/book': { description: 'All or nothing: what is booked is undone when a later step fails.' },
  '/root/nodes/ship/cases/0': { description: 'By courier, the same day.' },
};

/** Seven containers in each other: with the root as deep as the language allows. */
export function nested(): Definition {
  let body = region({ count: activity('counter.increment', 'end'), end: complete() });
  const wrap: readonly ((inner: Region) => Node)[] = [
    (inner) => whileLoop(inner, 'end'),
    (inner) => parallel({ only: inner }, 'end'),
    (inner) => foreach(inner, 'end'),
    (inner) => choose({ some: [is('scope.input', '/kind', 'deep'), inner] }, region({ end: complete() }), 'end'),
    (inner) => doWhileLoop(inner, 'end'),
    (inner) => repeat(inner, 'end'),
    (inner) => saga(inner, 'end'),
  ];
  wrap.forEach((container, depth) => {
    body = region({ [`level_${wrap.length - depth}`]: container(body), end: complete() });
  });
  return definition('nested', body);
}

export function wide(): Definition {
  const branch = (index: number) => region({ quote: activity(`carrier_${index}.quote`, 'end'), end: complete() });
  const branches = Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`carrier_${index + 1}`, branch(index + 1)]),
  );
  return definition(
    'quotes',
    region({ ask: parallel(branches, 'best'), best: activity('quotes.best', 'end'), end: complete() }),
  );
}

/** One step after the other; with `failing`, each of them can lead to the same handler. */
export function chain(length: number, failing = false): Definition {
  const steps = Array.from({ length: length - 2 }, (_, index): [string, Node] => [
    `step_${index + 1}`,
    activity('counter.increment', index + 3 === length ? 'end' : `step_${index + 2}`, failing ? onError('broken') : {}),
  ]);
  return definition(
    'chain',
    region({ ...Object.fromEntries(steps), end: complete(), broken: fail('chain.broken', 'A step failed.') }),
  );
}

/** Steps that undo by hand: each error leads to a handler, and each handler to the one of the step before. */
export function ladder(length: number): Definition {
  const nodes: [string, Node][] = [];
  for (let step = 1; step <= length; step += 1) {
    nodes.push([
      `do_${step}`,
      activity('ladder.up', step === length ? 'end' : `do_${step + 1}`, onError(`undo_${step}`)),
    ]);
    nodes.push([`undo_${step}`, activity('ladder.down', step === 1 ? 'broken' : `undo_${step - 1}`)]);
  }
  return definition(
    'ladder',
    region({ ...Object.fromEntries(nodes), end: complete(), broken: fail('ladder.broken', 'A step failed.') }),
  );
}

const LONG_CONDITION: Condition = {
  all: [
    isMore('loop.state', '/left', 0),
    { any: [is('loop.state', '/mode', 'eager'), { not: { exists: { from: 'workflow.input', path: '/stop~1at/0' } } }] },
    { not: is('loop.state', '/owner', 'somebody else whose name is long') },
  ],
};

/** Every kind of node and edge that the others do not show, and texts that are long. */
export function everyKind(): Definition {
  const inner = region({ touch: activity('counter.increment', 'end'), end: complete() });
  return definition(
    'every.kind',
    region({
      begin: delay(1500, 'opening'),
      opening: waitUntil('approval'),
      approval: waitSignal('approved', 'loop'),
      loop: whileLoop(inner, 'work', LONG_CONDITION),
      work: activity('a.rather_long.name_of_an_activity-that_goes_on.and_on_until_the_limit', 'again', {
        onError: [
          { codes: ['payment.declined'], next: 'declined' },
          { codes: ['payment.unavailable', 'payment.timeout', 'network.unreachable', 'network.reset'], next: 'later' },
          { codes: 'any', next: 'human' },
        ],
      }),
      declined: fail('order.declined', 'The card was declined. '.repeat(20)),
      later: delay(3_600_000, 'again'),
      human: waitSignal('decision', 'again', 'gave_up'),
      gave_up: fail('order.abandoned', ''),
      again: { kind: 'continue_as_new', input: { from: 'scope.input' } },
    }),
  );
}

/** What somebody might write to break the picture or the page it is shown on. */
export function hostile(): Definition {
  const nasty =
    '"]; end\n<script>alert(1)</script> `a` **b** _c_ &amp; #quot; {x} (y) [z] | ; %% \\ \u0000\u202e\ud800 \u{1f600}';
  return definition(
    nasty,
    region({
      end: activity(nasty, 'graph', { onError: [{ codes: [nasty], next: 'subgraph' }] }),
      graph: waitSignal(nasty, 'style', 'subgraph'),
      style: choose(
        { [nasty]: [is('scope.input', '/a"]b', nasty), region({ end: complete() })] },
        region({ end: complete() }),
        'o',
      ),
      o: complete(),
      subgraph: fail(nasty, nasty),
    }),
  );
}

/** Errors of many steps that come together at few handlers, and handlers that come together at the end. */
export function tangled(): Definition {
  return definition(
    'tangled',
    region({
      a: activity('work.a', 'b', {
        onError: [
          { codes: ['late'], next: 'slow' },
          { codes: 'any', next: 'broken' },
        ],
      }),
      b: activity('work.b', 'c', {
        onError: [
          { codes: ['late'], next: 'slow' },
          { codes: 'any', next: 'broken' },
        ],
      }),
      c: waitSignal('ready', 'd', 'slow'),
      d: activity('work.d', 'e', onError('broken')),
      e: waitSignal('go', 'f', 'remind'),
      remind: activity('mail.remind', 'f', onError('broken')),
      f: activity('work.f', 'end', { onError: [{ codes: ['late'], next: 'slow' }] }),
      slow: activity('mail.slow', 'end', onError('broken')),
      end: complete(),
      broken: activity('mail.broken', 'failed'),
      failed: fail('work.failed', 'It did not work.'),
    }),
  );
}
