/** A run and its events as lines for people. */
import type { EventView, RunView } from '@graphrun/domain';
import { exitCodeOfRun, EXIT } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** What start, run, watch and inspect print with `--json` (spec 05 "CLI"), exactly. */
export type RunDocument = Pick<
  RunView,
  | 'run'
  | 'workflow_id'
  | 'workflow'
  | 'version'
  | 'status'
  | 'output'
  | 'error'
  | 'compensation'
  | 'unresolved'
  | 'successor'
  | 'paused'
  | 'waits'
  | 'obligations'
  | 'explain'
>;

export function runDocument(view: RunDocument): RunDocument {
  const { run, workflow_id, workflow, version, status, output, error, compensation, unresolved, successor, paused } =
    view;
  return {
    run,
    workflow_id,
    workflow,
    version,
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    ...(compensation !== undefined && { compensation }),
    ...(unresolved !== undefined && { unresolved }),
    ...(successor !== undefined && { successor }),
    ...(paused !== undefined && { paused }),
    // Each has a signal and a key that somebody can send; times that are waited for stand in `explain`.
    waits: view.waits.filter(({ signal }) => signal !== undefined),
    obligations: view.obligations,
    explain: view.explain,
  };
}

export function runLines(view: RunDocument, terminal: Terminal): readonly string[] {
  const paused = view.paused === undefined ? '' : `, ${terminal.style('yellow', 'paused')}`;
  const status = `${statusText(view.status, terminal)}${paused}`;
  const lines = [`${view.workflow} version ${view.version}  run ${view.run}  ${status}`];
  if (view.output !== undefined) lines.push(`output: ${JSON.stringify(view.output)}`);
  if (view.error !== undefined) lines.push(`error: ${view.error.code}: ${view.error.message}`);
  if (view.successor !== undefined) lines.push(`it continued as run ${view.successor}`);
  lines.push(...compensationLines(view), ...unresolvedLines(view));
  if (exitCodeOfRun(view.status) === EXIT.waitTimedOut) lines.push(...explainLines(view));
  return lines;
}

function compensationLines({ compensation }: RunDocument): readonly string[] {
  if (compensation === undefined) return [];
  if (compensation.complete) return ['compensation: everything that was done is undone'];
  const effect = (word: string) => (note: (typeof compensation.unresolved)[number]) =>
    `  ${word}: ${note.node} (${note.activation})${note.handler === null ? '' : `, to be undone by ${note.handler}`}: ${note.reason}`;
  return [
    'compensation: not everything that was done is undone',
    ...compensation.irreversible.map(effect('irreversible')),
    ...compensation.unresolved.map(effect('unresolved')),
  ];
}

function unresolvedLines({ unresolved = [] }: RunDocument): readonly string[] {
  if (unresolved.length === 0) return [];
  const effects = unresolved.map(({ path, activation, handler, reason }) => {
    const by = handler === null ? '' : ` (${handler})`;
    return `  ${path} (${activation})${by}: ${reason}`;
  });
  return ['unresolved: the run was ended without settling these effects', ...effects];
}

export function explainLines(view: Pick<RunDocument, 'explain'>): readonly string[] {
  return view.explain.map(({ path, message, action }) => {
    const where = path === 'run' || message.includes(path) ? '' : `${path}: `;
    return `${where}${message}; ${action}`;
  });
}

export function statusText(status: string, terminal: Terminal): string {
  switch (exitCodeOfRun(status)) {
    case EXIT.ok:
      return terminal.style('green', status);
    case EXIT.runFailed:
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
