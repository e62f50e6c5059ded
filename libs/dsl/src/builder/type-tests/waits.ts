/** A finite wait has two ways on, and the payload is on one of them. */
import { literal, signal, workflow } from '../index.js';
import { Approval, counter, Counter, Order } from '../testing/shop.js';

const bump = signal('bump', Counter);
const approved = signal('approved', Approval);
const late = { code: 'late', message: 'Too late.' };

export const waits = workflow('bad', 1)
  .input(Order)
  .output(Counter)
  .body((r) => {
    const key = r.input.at('order_id');
    const endless = r.waitSignal('endless', bump, { key, timeout: null });
    r.activity('a', counter.increment, endless.output);
    const ends = r.waitSignal('ends', bump, { key, timeout: '2d', onTimeout: (path) => path.fail('late', late) });
    r.activity('b', counter.increment, ends.output);
    r.waitSignal('tail', bump, {
      key,
      timeout: '2d',
      onSignal: (path, payload) => {
        path.activity('c', counter.increment, payload);
        return path.join();
      },
      onTimeout: (path) => path.join(),
    });

    const joins = r.waitSignal('joins', bump, { key, timeout: '2d', onTimeout: (path) => path.join() });
    // @ts-expect-error TS2339: on the path of the timeout there is no payload
    r.activity('d', counter.increment, joins.output);
    // @ts-expect-error TS7022: the payload is not there before there is one
    const inside = r.waitSignal('inside', bump, {
      key,
      timeout: '2d',
      // @ts-expect-error TS7023: the payload does not exist yet
      onTimeout: (path) => path.complete('e', inside.output),
    });
    // @ts-expect-error TS2345: the payload is an approval
    r.waitSignal('payload', approved, { key, timeout: null, onSignal: (path, payload) => path.complete('f', payload) });
    // @ts-expect-error TS2345: a finite wait has a path for its timeout
    r.waitSignal('missing', bump, { key, timeout: '2d' });
    // @ts-expect-error TS2322: an endless wait never takes it
    r.waitSignal('never', bump, { key, timeout: null, onTimeout: (path) => path.fail('g', late) });
    // @ts-expect-error TS2322: the path ends or joins
    r.waitSignal('open', bump, { key, timeout: '2d', onTimeout: (path) => path.delay('h', '1s') });
    // @ts-expect-error TS2322: a key is a text
    r.waitSignal('key', bump, { key: r.input, timeout: null });
    r.delay('i', '10ms');
    r.delay('j', 10);
    r.delay('k', literal('1h'));
    // @ts-expect-error TS2345: there is no such unit
    r.delay('l', '10w');
    // @ts-expect-error TS2345: a moment is a number of milliseconds
    r.waitUntil('m', '2030-01-01');
    return r.complete('done', { value: 1 });
  });

export const ended = workflow('good', 1)
  .input(Counter)
  .output(Counter)
  .body((r) =>
    r.waitSignal('wait', bump, {
      key: 'k',
      timeout: '1h',
      onSignal: (path, payload) => path.complete('done', payload),
      onTimeout: (path) => path.fail('late', late),
    }),
  );
