/** After a failure there is an error and no output. */
import { builtin, workflow } from '../index.js';
import { counter, Counter, inventory, Order } from '../testing/shop.js';

export const routes = workflow('bad', 1)
  .input(Order)
  .output(builtin.string)
  .body((r) => {
    const tail = r.tail();
    const ends = r.activity(
      'ends',
      counter.increment,
      { value: 1 },
      {
        onError: [
          { codes: ['slow'], then: (path, error) => path.complete('slow', error.at('message')) },
          { codes: 'any', then: (path) => path.goTo(tail) },
        ],
      },
    );
    r.activity('use', counter.increment, ends.output);
    const joins = r.saga('joins', {
      input: ends.output,
      inputSchema: Counter,
      outputSchema: Counter,
      body: (s) => s.complete('done', s.input),
      onSuccess: (path, output) => {
        path.activity('success', counter.increment, output);
        return path.join();
      },
      onError: [{ codes: 'any', then: (path) => path.join() }],
    });
    // @ts-expect-error TS2339: after a failure there is no output
    r.activity('after', counter.increment, joins.output);
    r.activity('member', inventory.reserve, r.input, {
      // @ts-expect-error TS2345: an error has a code and a message
      onError: [{ codes: 'any', then: (path, error) => path.complete('stack', error.at('stack')) }],
    });
    r.activity('codes', inventory.reserve, r.input, {
      // @ts-expect-error TS2322: codes are listed, or any
      onError: [{ codes: 'busy', then: (path) => path.join() }],
    });
    r.activity('open', inventory.reserve, r.input, {
      // @ts-expect-error TS2322: the path ends or joins
      onError: [{ codes: 'any', then: (path) => path.delay('rest', '1s') }],
    });
    // @ts-expect-error TS2345: a path that is no tail has an end of its own
    r.goTo(r);
    tail.delay('pause', '1s');
    return tail.fail('sorry', { code: 'sorry', message: 'Sorry.' });
  });
