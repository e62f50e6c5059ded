/** `delay` and `wait_until`. */
import { topic } from './case.js';
import { flow, INPUT } from './snippets.js';

const delay = (duration: string): string => flow(`  n: {kind: delay, duration: ${duration}, next: done}`);
const until = (at: string): string => flow(`  n: {kind: wait_until, at: ${at}, next: done}`);

export const TIMERS = topic(
  'timers',
  [
    ['no duration', flow('  «GR1102 n»: {kind: delay, next: done}')],
    ['a duration of nothing', delay('«GR1109 0s»')],
    ['a duration that is a number', delay('«GR1109 5»')],
    ['a duration that is null', delay('«GR1103 null»')],
    ['a duration that is a list', delay('«GR1301 [1s]»')],
    ['a duration over a year', delay('«GR1110 366d»')],
    ['a literal duration over a year', delay('{literal: «GR1110 8761h»}')],
    ['a literal that is no duration', delay('{literal: «GR1109 soon»}')],
    ['a literal of no milliseconds', delay('{literal: «GR1317 0»}')],
    ['a literal of too many milliseconds', delay('{literal: «GR1317 31536000001»}')],
    ['a literal of half a millisecond', delay('{literal: «GR1404 0.5»}')],
    ['a literal that is a boolean', delay('{literal: «GR1404 true»}')],
    ['a duration that is bound to text', delay('«GR1404 {from: workflow.input, path: /order_id}»')],
    ['a duration that is bound to an order', delay(`«GR1403 ${INPUT}»`)],
    ['a default of no milliseconds', delay('{from: workflow.input, path: /amount, default: «GR1317 0»}')],
    ['a default of a duration as text', delay('{from: workflow.input, path: /amount, default: «GR1404 5s»}')],
    ['an at in a delay', flow('  n: {kind: delay, duration: 1s, «GR1104 at»: {literal: 1}, next: done}')],
    ['no at', flow('  «GR1102 n»: {kind: wait_until, next: done}')],
    ['a moment as a date', until('«GR1301 2030-01-01»')],
    ['a literal moment as a date', until('{literal: «GR1404 2030-01-01»}')],
    ['a moment before all', until('{literal: «GR1317 -1»}')],
    ['a moment with a fraction', until('{literal: «GR1404 0.5»}')],
    ['a moment that is bound to text', until('«GR1403 {from: scope.id}»')],
    ['a moment that is bound to a number', until('«GR1404 {from: workflow.input, path: /rate}»')],
  ],
  [
    ['a delay of a millisecond', delay('1ms')],
    ['a delay of a year', delay('{literal: "365d"}')],
    ['a delay of a year in milliseconds', delay('{literal: 31536000000}')],
    ['a delay that is bound', delay('{from: workflow.input, path: /amount, default: 1}')],
    ['a moment that is long past', until('{literal: 0}')],
  ],
);
