/** Choices, and the schemas that their bodies share. */
import { topic } from './case.js';
import { body, ECHO, echo, flow, give, INPUT } from './snippets.js';

const TRUE = '{eq: [{literal: 1}, {literal: 1}]}';
const done = (output: string): string => `\n  done: ${give(output)}`;

const choose = (cases: string, more = `default: ${echo('order/v1')}`, input = INPUT): string =>
  flow(`  n: {kind: choose, input: ${input}, cases: ${cases}, ${more}, next: done}`);
const oneCase = (inner: string, name = 'a'): string => `{name: ${name}, when: ${TRUE}, body: ${inner}}`;

export const CHOOSE = topic(
  'choose',
  [
    ['no cases', flow(`  «GR1102 n»: {kind: choose, input: ${INPUT}, default: ${echo('order/v1')}, next: done}`)],
    [
      'no default',
      flow(`  «GR1102 n»: {kind: choose, input: ${INPUT}, cases: [${oneCase(echo('order/v1'))}], next: done}`),
    ],
    [
      'no input',
      flow(`  «GR1102 n»: {kind: choose, cases: [${oneCase(ECHO)}], default: ${echo('order/v1')}, next: done}`),
    ],
    ['an empty list of cases', choose('[]').replace('cases', '«GR1115 cases»')],
    ['cases that are a map', choose(`«GR1103 {a: ${TRUE}}»`)],
    ['a case that is text', choose(`[«GR1103 a», ${oneCase(ECHO, 'b')}]`)],
    ['a case without a name', choose(`[{«GR1102 when»: ${TRUE}, body: ${ECHO}}]`)],
    ['a case without a condition', choose(`[{name: «GR1102 a», body: ${ECHO}}]`)],
    ['a case without a body', choose(`[{name: «GR1102 a», when: ${TRUE}}]`)],
    ['a case without anything', choose('[«GR1102,GR1102,GR1102 {}»]')],
    ['an unknown field of a case', choose(`[{name: a, when: ${TRUE}, body: ${ECHO}, «GR1101 priority»: 1}]`)],
    ['a next in a case', choose(`[{name: a, when: ${TRUE}, body: ${ECHO}, «GR1101 next»: done}]`)],
    ['two cases of one name', choose(`[${oneCase(ECHO)}, ${oneCase(ECHO, '«GR1111 a»')}]`)],
    ['a case with a name that is none', choose(`[${oneCase(ECHO, '«GR1106 "a b"»')}]`)],
    [
      'a case with a description that is a list',
      choose(`[{name: a, description: «GR1103 []», when: ${TRUE}, body: ${ECHO}}]`),
    ],
    ['a body that is text', choose(`[${oneCase('«GR1103 b»')}]`)],
    ['a default that is a list', choose(`[${oneCase(ECHO)}]`, 'default: «GR1103 []»')],
    ['a default without nodes', choose(`[${oneCase(echo('order/v1'))}]`, '«GR1102 default»: {start: b}')],
    [
      'a body without a start',
      choose(`[{name: a, when: ${TRUE}, «GR1102 body»: {nodes: {b: ${give('{from: scope.input}')}}}}]`),
    ],
    ['an unknown field of a body', choose(`[${oneCase(ECHO.replace('{', '{«GR1101 signals»: {}, '))}]`)],
    ['a description of a body', choose(`[${oneCase(ECHO.replace('{', '{«GR1101 description»: x, '))}]`)],
    [
      'schemas that no body says',
      choose(`[{name: a, when: ${TRUE}, «GR1102,GR1102 body»: ${ECHO}}, ${oneCase(ECHO, 'b')}]`, `default: ${ECHO}`),
    ],
    [
      'an output schema that no body says',
      choose(
        `[{name: a, when: ${TRUE}, «GR1102 body»: ${ECHO.replace('{', '{input_schema: order/v1, ')}}]`,
        `default: ${ECHO}`,
      ),
    ],
    [
      'a body with another input',
      choose(
        `[${oneCase(echo('order/v1'))}, ${oneCase(body('«GR1409 counter/v1»', 'order/v1', `b: ${give(INPUT)}`), 'b')}]`,
      ),
    ],
    [
      'a body with another output',
      choose(
        `[${oneCase(echo('order/v1'))}, ${oneCase(body('order/v1', '«GR1409 unit/v1»', `b: ${give(INPUT)}`), 'b')}]`,
      ),
    ],
    [
      'a default with other schemas',
      choose(
        `[${oneCase(echo('order/v1'))}]`,
        `default: ${body('«GR1409 counter/v1»', '«GR1409 counter/v1»', `b: ${give('«GR1403 {from: scope.input}»')}`)}`,
      ).replace('«GR1403 {from: scope.input}»', '{from: scope.input}'),
    ],
    [
      'a body whose schema is broken, which is one mistake',
      choose(`[${oneCase(body('order/v1', '«GR1401 oder/v1»', `b: ${give(INPUT)}`))}]`),
    ],
    [
      'an input of another schema than the bodies have',
      choose(`[${oneCase(ECHO)}]`, `default: ${echo('counter/v1')}`, `«GR1403 ${INPUT}»`),
    ],
    [
      'a wrong output of a body',
      choose(
        `[${oneCase(body('order/v1', 'counter/v1', `b: ${give('«GR1403 {from: scope.input}»')}`))}]`,
        `default: ${body('order/v1', 'counter/v1', `b: ${give('{literal: {value: 1}}')}`)}`,
      ),
    ],
    [
      'a wrong output of the default',
      choose(
        `[${oneCase(ECHO)}]`,
        `default: ${body('order/v1', 'order/v1', `b: ${give('«GR1403 {from: scope.id}»')}`)}`,
      ),
    ],
    [
      'an output of another schema than is expected of it',
      flow(
        `  n: {kind: choose, input: ${INPUT}, cases: [${oneCase(ECHO)}], default: ${echo('order/v1')}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`,
        { output: 'counter/v1' },
      ),
    ],
    [
      'a case that cannot be read, whose schemas may be those of all',
      choose(`[«GR1103 a», ${oneCase(ECHO, 'b')}]`, `default: ${ECHO}`),
    ],
    ['a compensation', choose(`[${oneCase(ECHO)}]`, `default: ${echo('order/v1')}, «GR1104 compensation»: {}`)],
  ],
  [
    ['schemas that only the default says', choose(`[${oneCase(ECHO)}]`)],
    [
      'schemas that only the first case says',
      choose(`[${oneCase(echo('order/v1'))}, ${oneCase(ECHO, 'b')}]`, `default: ${ECHO}`),
    ],
    [
      'schemas that different bodies say',
      choose(
        `[${oneCase(ECHO.replace('{', '{input_schema: order/v1, '))}]`,
        `default: ${ECHO.replace('{', '{output_schema: order/v1, ')}`,
      ),
    ],
    ['annotations of a case', choose(`[{name: a, description: x, labels: {a: b}, when: ${TRUE}, body: ${ECHO}}]`)],
  ],
);
