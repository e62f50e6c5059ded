/** A run and its events as lines for people. */
import type { EventView, RunView } from '@graphrun/domain';
import type { Terminal } from './terminal.js';

/** What start, run and inspect print with `--json` (spec 05 "CLI"), exactly. */
export type RunDocument = Pick<
  RunView,
  'run' | 'workflow_id' | 'workflow' | 'version' | 'status' | 'output' | 'error' | 'waits' | 'obligations' | 'explain'
>;

export function runDocument(view: RunDocument): RunDocument {
  const { run, workflow_id, workflow, version, status, output, error, waits, obligations, explain } = view;
  return {
    run,
    workflow_id,
    workflow,
    version,
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    waits,
    obligations,
    explain,
  };
}

export function runLines(view: RunDocument, terminal: Terminal): readonly string[] {
  const lines = [`${view.workflow} version ${view.version}  run ${view.run}  ${statusText(view.status, terminal)}`];
  if (view.output !== undefined) lines.push(`output: ${JSON.stringify(view.output)}`);
  if (view.error !== undefined) lines.push(`error: ${view.error.code}: ${view.error.message}`);
  if (view.status !== 'succeeded' && view.status !== 'failed' && view.status !== 'cancelled')
    lines.push(...explainLines(view));
  return lines;
}

export function explainLines(view: Pick<RunDocument, 'explain'>): readonly string[] {
  return view.explain.map(({ path, message, action }) => `${path === 'run' ? '' : `${path}: `}${message}; ${action}`);
}

export function statusText(status: string, terminal: Terminal): string {
  switch (status) {
    case 'succeeded':
      return terminal.style('green', status);
    case 'failed':
    case 'cancelled':
      return terminal.style('red', status);
    default:
      return terminal.style('yellow', status);
  }
}

/** One event as one line: sequence, time, kind and its fields. */
export function eventLine(event: EventView, terminal: Terminal): string {
  const { seq, at, kind, v: _version, command: _command, internal: _internal, by: _by, ...fields } = event;
  const time = new Date(at).toISOString().slice(11, 23);
  return `${String(seq).padStart(5)}  ${terminal.style('dim', time)}  ${kind}  ${shorten(JSON.stringify(fields))}`;
}

function shorten(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 157)}...`;
}
