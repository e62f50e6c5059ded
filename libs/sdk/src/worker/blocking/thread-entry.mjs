/**
 * Runs blocking handlers in a thread of the pool, one at a time. JavaScript, because Node starts a thread from a file:
 * this one is the same file in the sources and in the build.
 *
 * @typedef {import('./messages.js').ToThread} ToThread
 * @typedef {import('./messages.js').RunMessage} RunMessage
 * @typedef {import('./messages.js').FromThread} FromThread
 * @typedef {import('./messages.js').LogLevel} LogLevel
 * @typedef {import('./messages.js').ThrownParts} ThrownParts
 */
import { parentPort } from 'node:worker_threads';

if (parentPort === null) throw new Error('thread-entry runs in worker threads only');
const port = parentPort;

/** @param {FromThread} message */
function send(message) {
  port.postMessage(message);
}

/**
 * Sends a message that holds something of the handler's, or another one in its place where that cannot be cloned.
 * @param {FromThread} message
 * @param {(why: string) => FromThread} otherwise
 */
function sendOr(message, otherwise) {
  try {
    send(message);
  } catch (error) {
    send(otherwise(error instanceof Error ? error.message : String(error)));
  }
}

/** @type {AbortController} */
let abort = new AbortController();
/** @type {AbortController} */
let shutdown = new AbortController();

/**
 * @param {LogLevel} level
 * @returns {(fields: object, message: string) => void}
 */
function logAt(level) {
  return (fields, message) => {
    sendOr({ type: 'log', level, fields, message }, (why) => ({
      type: 'log',
      level,
      fields: { omitted: why },
      message,
    }));
  };
}

const logger = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };

/** @param {RunMessage} task */
function contextOf(task) {
  const flag = new Int32Array(task.aborted);
  return {
    effectKey: task.effectKey,
    /** @param {string} name */
    subKey: (name) => `${task.effectKey}:${name}`,
    attempt: task.attempt,
    deadline: task.deadline,
    signal: abort.signal,
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
    shuttingDown: shutdown.signal,
    logger,
    /** @param {import('@graphrun/dsl').Json} [details] */
    heartbeat: (details) => {
      sendOr({ type: 'heartbeat', details }, (why) => ({ type: 'heartbeat', details: { omitted: why } }));
    },
  };
}

/**
 * @param {unknown} error
 * @returns {ThrownParts}
 */
function partsOf(error) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: null, why: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const why = 'why' in error && typeof error.why === 'string' ? error.why : null;
  return { name: error.name, message: error.message, code, why };
}

/** @param {RunMessage} task */
async function run(task) {
  abort = new AbortController();
  shutdown = new AbortController();
  if (task.shuttingDown) shutdown.abort();
  try {
    const module = await import(task.module);
    const handler = module[task.exportName];
    if (typeof handler !== 'function') {
      throw new TypeError(`${task.module} exports no function '${task.exportName}': correct blocking(module, name)`);
    }
    const output = await handler(task.input, contextOf(task));
    sendOr({ type: 'returned', output }, (message) => ({ type: 'unsendable', message }));
  } catch (error) {
    send({ type: 'threw', error: partsOf(error) });
  }
}

port.on('message', (/** @type {ToThread} */ message) => {
  switch (message.type) {
    case 'run':
      void run(message);
      break;
    case 'abort': {
      const reason = Object.assign(new Error(message.message), { name: 'AttemptAborted', why: message.why });
      abort.abort(reason);
      break;
    }
    case 'shutdown':
      shutdown.abort();
      break;
  }
});
