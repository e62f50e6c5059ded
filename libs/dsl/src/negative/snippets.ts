/** Small documents and parts of them, as text: marks of `case.ts` may stand anywhere in what is passed. */
import { BUMP } from '../testing/order-catalog.js';

/** The whole input of the workflow. */
export const INPUT = '{from: workflow.input}';

/** The counter example with some text replaced, which must be there. */
export function bump(...replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The example has no ${from}`);
    return text.replace(from, () => to);
  }, BUMP);
}

export interface FlowParts {
  readonly input?: string;
  readonly output?: string;
  /** Further lines of the document. */
  readonly header?: string;
}

/**
 * A document of some nodes, which are lines indented by two spaces. It begins with `n`, and ends with a `done` that returns
 * the input unless the nodes have one.
 */
export function flow(nodes: string, parts: FlowParts = {}): string {
  const hasEnd = /^ {2}(?:«GR\d{4} )?done/m.test(nodes);
  return documentOf(hasEnd ? nodes : `${nodes.trimEnd()}\n  done: ${give(INPUT)}`, parts);
}

/** A document that only returns `output`. */
export function returns(output: string, parts: FlowParts = {}): string {
  return documentOf(`  n: ${give(output)}`, parts);
}

function documentOf(nodes: string, { input = 'order/v1', output = 'order/v1', header = '' }: FlowParts): string {
  return `dsl: graphrun/v1
id: test
version: 1
input_schema: ${input}
output_schema: ${output}
start: n
${header}nodes:
${nodes.replace(/^\n/, '').trimEnd()}
`;
}

/** A node that returns `output`. */
export function give(output: string): string {
  return `{kind: complete, output: ${output}}`;
}

/** A node that calls an activity. */
export function call(name: string, input: string, more: string): string {
  return `{kind: activity, activity: {name: ${name}, version: 1}, input: ${input}, ${more}}`;
}

/** A call that takes an order and has nothing else to say. */
export function quote(next: string, input = '{from: workflow.input}'): string {
  return call('tax.quote', input, `next: ${next}`);
}

/** A region that begins with `b`. */
export function body(input: string, output: string, nodes: string): string {
  return `{input_schema: ${input}, output_schema: ${output}, start: b, nodes: {${nodes}}}`;
}

/** A region that returns its input; the container says its schemas. */
export const ECHO = `{start: b, nodes: {b: ${give('{from: scope.input}')}}}`;

/** A region that returns its input, which is of this schema. */
export function echo(schema: string): string {
  return body(schema, schema, `b: ${give('{from: scope.input}')}`);
}

/** A literal that is text of so many bytes as JSON, which writes six for each two of YAML. */
export function textOf(bytes: number): string {
  return `{literal: "${'\\a'.repeat(Math.floor((bytes - 2) / 6))}${'x'.repeat((bytes - 2) % 6)}"}`;
}
