/** Activities: which one, how long, how often. */
import { topic } from './case.js';
import { bump, call, flow, INPUT } from './snippets.js';

const reserve = (more: string): string => flow(`  n: ${call('inventory.reserve', INPUT, `${more}, next: done`)}`);
const pure = (more: string): string => flow(`  n: ${call('tax.quote', INPUT, `${more}, next: done`)}`);

export const ACTIVITIES = topic(
  'activities',
  [
    [
      'an unknown activity',
      bump(['{name: counter.increment, version: 1}', '«GR1501 {name: counter.incremnt, version: 1}»']),
    ],
    [
      'an unknown activity over several lines',
      bump([
        'activity: {name: counter.increment, version: 1}',
        '«GR1501 activity»:\n      name: counter.incremnt\n      version: 1',
      ]),
    ],
    [
      'an unknown version',
      bump(['{name: counter.increment, version: 1}', '«GR1501 {name: counter.increment, version: 2}»']),
    ],
    [
      'an activity by name only',
      bump(['activity: {name: counter.increment, version: 1}', 'activity: «GR1103 counter.increment»']),
    ],
    [
      'an activity without a version',
      bump(['activity: {name: counter.increment, version: 1}', '«GR1102 activity»: {name: counter.increment}']),
    ],
    [
      'an activity without a name',
      bump(['activity: {name: counter.increment, version: 1}', '«GR1102 activity»: {version: 1}']),
    ],
    ['an activity of version latest', bump(['version: 1}', 'version: «GR1103 latest»}'])],
    ['an activity with a name that is none', bump(['name: counter.increment', 'name: «GR1106 counter increment»'])],
    ['an unknown field of an activity', bump(['version: 1}', 'version: 1, «GR1101 queue»: fast}'])],
    ['no activity', bump(['  inc:', '  «GR1102 inc»:'], ['    activity: {name: counter.increment, version: 1}\n', ''])],
    ['an input of another schema', flow(`  n: ${call('counter.increment', `«GR1403 ${INPUT}»`, 'next: done')}`)],
    ['a duration without a unit', reserve('timeout: «GR1109 30»')],
    ['a duration with two units', reserve('timeout: «GR1109 1m30s»')],
    ['a duration with a fraction', reserve('timeout: «GR1109 1.5s»')],
    ['a duration of an unknown unit', reserve('timeout: «GR1109 1w»')],
    ['a duration that cannot be kept', reserve('timeout: «GR1109 9999999999999999d»')],
    ['a timeout under a second', reserve('timeout: «GR1110 999ms»')],
    ['a timeout over a day', reserve('timeout: «GR1110 25h»')],
    ['a timeout that is null', reserve('timeout: «GR1103 null»')],
    ['a retry that is a number', reserve('retry: «GR1103 3»')],
    ['an unknown field of a retry', reserve('retry: {«GR1101 tries»: 3}')],
    ['a field of a backoff in a retry', reserve('retry: {«GR1104 initial»: 1s}')],
    ['a budget of eleven', reserve('retry: {max_attempts: «GR1110 11»}')],
    ['a budget of zero', reserve('retry: {max_attempts: «GR1110 0»}')],
    ['a budget with a fraction', reserve('retry: {max_attempts: «GR1110 2.5»}')],
    ['a budget that is text', reserve('retry: {max_attempts: «GR1103 many»}')],
    ['a backoff that is a duration', reserve('retry: {backoff: «GR1103 5s»}')],
    ['an unknown field of a backoff', reserve('retry: {backoff: {«GR1101 jitter»: full}}')],
    ['a multiplier below one', reserve('retry: {backoff: {multiplier: «GR1110 0.5»}}')],
    ['a multiplier above ten', reserve('retry: {backoff: {multiplier: «GR1110 10.5»}}')],
    ['a multiplier that is text', reserve('retry: {backoff: {multiplier: «GR1103 x»}}')],
    ['a backoff over an hour', reserve('retry: {backoff: {max: «GR1110 61m»}}')],
    ['a first backoff over an hour', reserve('retry: {backoff: {initial: «GR1110 61m», max: 1h}}')],
    ['a backoff above its cap', reserve('retry: {backoff: {initial: «GR1504 10s», max: 9s}}')],
    ['a backoff above the cap that is the default', reserve('retry: {backoff: {initial: «GR1504 61s»}}')],
    ['a cap below the backoff that is the default', reserve('retry: {backoff: {max: «GR1504 999ms»}}')],
    [
      'a backoff whose cap is broken, which is one mistake',
      reserve('retry: {backoff: {initial: 10m, max: «GR1109 1»}}'),
    ],
    ['errors that are text', reserve('retry: {errors: «GR1103 busy»}')],
    ['an error that is a number', reserve('retry: {errors: [«GR1103 503»]}')],
    ['an error code listed twice', reserve('retry: {errors: [busy, «GR1111 busy»]}')],
    ['an undeclared error code', reserve('retry: {errors: [«GR1502 bsuy»]}')],
    ['an undeclared error code of an activity that declares none', pure('retry: {errors: [«GR1502 busy»]}')],
    ['a code of the engine', reserve('retry: {errors: [«GR1502 activity.timeout»]}')],
    ['an error code that is not retryable', reserve('retry: {errors: [busy, «GR1503 sold_out»]}')],
    ['what a handler throws, for external work', reserve('retry: {errors: [«GR1502 activity.unhandled»]}')],
  ],
  [
    ['a timeout of a second', reserve('timeout: 1s')],
    ['a timeout of a day', reserve('timeout: 24h')],
    [
      'the largest of everything',
      reserve('retry: {errors: [busy], max_attempts: 10, backoff: {initial: 1h, multiplier: 10, max: 1h}}'),
    ],
    [
      'the least of everything',
      reserve('retry: {errors: [], max_attempts: 1, backoff: {initial: 1ms, multiplier: 1, max: 1ms}}'),
    ],
    ['a backoff at the cap that is the default', reserve('retry: {backoff: {initial: 60s}}')],
    ['a cap at the backoff that is the default', reserve('retry: {backoff: {max: 1s}}')],
    ['what a handler throws, for pure work', pure('retry: {errors: [activity.unhandled]}')],
  ],
);
