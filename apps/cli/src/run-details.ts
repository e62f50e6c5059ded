/** What `inspect` shows beyond the state of a run: containers, activities, waits and what sagas owe, as lines. */
import type { RunView } from '@graphrun/domain';
import type { Terminal } from './terminal.js';

/** A foreach may have hundreds of activities under way; the document has them all. */
const SHOWN = 20;

export function detailLines(view: RunView, terminal: Terminal): readonly string[] {
  return [
    ...atMost('containers', containerLines(view, terminal)),
    ...atMost('activities', activityLines(view, terminal)),
    ...atMost('waits', waitLines(view)),
    ...atMost('obligations', obligationLines(view, terminal)),
    ...(view.buffered_signals === 0 ? [] : [`  ${view.buffered_signals} signals are kept that no wait has taken`]),
  ];
}

function atMost(what: string, lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `  and ${lines.length - SHOWN} more ${what}; --json shows all`];
}

function containerLines(view: RunView, terminal: Terminal): readonly string[] {
  return view.containers.map(({ path, kind, status, done, total, active }) => {
    const progress = done === undefined ? '' : `, ${done}${total === undefined ? '' : ` of ${total}`} done`;
    return `  ${path}  ${kind}  ${terminal.style('bold', status)}  ${active} under way${progress}`;
  });
}

function activityLines(view: RunView, terminal: Terminal): readonly string[] {
  return view.activities.map(({ activation, role, path, activity, version, status, attempts, max_attempts }) => {
    const as = role === 'forward' ? '' : ` as ${role}`;
    return `  ${path} (${activation})  ${activity} version ${version}${as}  ${terminal.style('bold', status)}  attempts ${attempts} of ${max_attempts}`;
  });
}

function waitLines(view: RunView): readonly string[] {
  return view.waits.map(({ path, signal, key, deadline }) => {
    const what = signal === undefined ? 'a time' : `signal ${signal} with key "${key ?? ''}"`;
    const until = deadline === undefined ? '' : `  until ${new Date(deadline).toISOString()}`;
    return `  ${path}  waits for ${what}${until}`;
  });
}

function obligationLines(view: RunView, terminal: Terminal): readonly string[] {
  return view.obligations.map(({ activation, node, handler, status, order }) => {
    const by = handler === null ? '' : `  undone by ${handler}`;
    return `  ${node} (${activation})${by}  ${terminal.style('bold', status)}${order === undefined ? '' : `  order ${order}`}`;
  });
}
