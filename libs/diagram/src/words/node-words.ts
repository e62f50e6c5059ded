/** What a picture says of a node: the lines in its box, and what else is worth knowing where one looks closer. */
import { formatDuration } from '@graphrun/dsl';
import type { ActivityNode, ActivityRef, Binding, ChooseNode, Node, RetryPolicy, WaitSignalNode } from '@graphrun/dsl';
import { cleanText } from '../text/clean.js';
import { bindingWords } from './binding-words.js';
import { conditionWords } from './condition-words.js';

/** `detail` says what the node does, `undo` and `lock` how its effect is undone or that it cannot be, `error` a failure. */
export type WordRole = 'detail' | 'undo' | 'lock' | 'error';

export interface Words {
  readonly role: WordRole;
  readonly text: string;
}

/** What stands in the box below the node's key. */
export function nodeWords(node: Node): readonly Words[] {
  switch (node.kind) {
    case 'activity':
      return [detail(activityName(node.activity)), ...compensationWords(node)];
    case 'choose':
      return [detail('the first case that holds')];
    case 'while':
      return [detail(`while ${conditionWords(node.condition)}`), detail(`at most ${times(node.maxIterations)}`)];
    case 'do_while':
      return [
        detail(`once, then again while ${conditionWords(node.condition)}`),
        detail(`at most ${times(node.maxIterations)}`),
      ];
    case 'repeat':
      return [detail(countWords(node.count)), detail(`at most ${times(node.maxIterations)}`)];
    case 'foreach':
      return [
        detail(`for each item of ${bindingWords(node.items)}`),
        detail(`at most ${count(node.maxItems, 'item')}, ${node.maxConcurrency} at a time`),
      ];
    case 'parallel':
      return [detail(node.branches.length === 1 ? 'one branch' : `${node.branches.length} branches at once`)];
    case 'saga':
      return [detail('undone in reverse order if it fails')];
    case 'delay':
      return [detail(delayWords(node.duration))];
    case 'wait_until':
      return [detail(`until ${momentWords(node.at)}`)];
    case 'wait_signal':
      return signalWords(node);
    case 'complete':
      return [detail('complete')];
    case 'fail':
      return [
        { role: 'error', text: `fail with ${cleanText(node.error.code)}` },
        ...(node.error.message === '' ? [] : [detail(cleanText(node.error.message))]),
      ];
    case 'continue_as_new':
      return [detail('continue as a new run')];
  }
}

/** What does not stand in the box: times, retries, values. */
export function nodeSmallPrint(node: Node): readonly string[] {
  switch (node.kind) {
    case 'activity':
      return [`input ${bindingWords(node.input)}`, `timeout ${formatDuration(node.timeoutMs)}`, retryWords(node.retry)];
    case 'choose':
    case 'saga':
    case 'continue_as_new':
      return [`input ${bindingWords(node.input)}`];
    case 'while':
    case 'do_while':
    case 'repeat':
      return [`starts with ${bindingWords(node.state)}`];
    case 'complete':
      return [`output ${bindingWords(node.output)}`];
    case 'parallel':
      return node.branches.map(({ name, input }) => `input of ${cleanText(name)} ${bindingWords(input)}`);
    default:
      return [];
  }
}

/** Title of a case, a branch or the default of a choice, and below it when it is taken. */
export function bodyWords(node: Node, index: number): { readonly title: string; readonly when: string } | null {
  if (node.kind === 'parallel') {
    const branch = node.branches[index];
    return branch === undefined ? null : { title: cleanText(branch.name), when: '' };
  }
  return node.kind === 'choose' ? caseWords(node, index) : null;
}

function caseWords(node: ChooseNode, index: number): { readonly title: string; readonly when: string } {
  const chosen = node.cases[index];
  if (chosen === undefined) return { title: 'default', when: 'otherwise' };
  return { title: cleanText(chosen.name), when: `when ${conditionWords(chosen.when)}` };
}

function activityName({ name, version }: ActivityRef): string {
  return `${cleanText(name)} v${version}`;
}

function compensationWords({ compensation }: ActivityNode): readonly Words[] {
  if (compensation === undefined) return [];
  return compensation.kind === 'activity'
    ? [{ role: 'undo', text: `undone by ${activityName(compensation.activity)}` }]
    : [{ role: 'lock', text: `irreversible: ${cleanText(compensation.reason)}` }];
}

function signalWords(node: WaitSignalNode): readonly Words[] {
  return [
    detail(`signal ${cleanText(node.signal)}`),
    detail(`for ${bindingWords(node.key)}`),
    ...(node.timeoutMs === null ? [detail('without a time limit')] : []),
    ...(node.consumeFrom === 'after_activation' ? [detail('sent after it began to wait')] : []),
  ];
}

function retryWords({ maxAttempts, errors }: RetryPolicy): string {
  if (maxAttempts === 1) return 'one attempt';
  const after = errors.length === 0 ? '' : `, again after ${errors.map(cleanText).join(', ')}`;
  return `up to ${maxAttempts} attempts${after}`;
}

function countWords(binding: Binding): string {
  return 'literal' in binding && typeof binding.literal === 'number'
    ? times(binding.literal)
    : `as many times as ${bindingWords(binding)} says`;
}

function delayWords(duration: Binding): string {
  return 'literal' in duration && typeof duration.literal === 'number'
    ? `for ${formatDuration(duration.literal)}`
    : `for ${bindingWords(duration)} ms`;
}

const LAST_MOMENT_MS = 8.64e15;

function momentWords(at: Binding): string {
  return 'literal' in at && typeof at.literal === 'number' && Math.abs(at.literal) <= LAST_MOMENT_MS
    ? new Date(at.literal).toISOString()
    : bindingWords(at);
}

function detail(text: string): Words {
  return { role: 'detail', text };
}

function times(number: number): string {
  return count(number, 'time');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
