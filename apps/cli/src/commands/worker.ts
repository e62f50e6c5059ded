/** `graphrun worker`: a worker of a cluster; the same as the worker service, configured by the environment. */
import type { Command } from 'commander';
import { action, command } from '../command.js';
import type { CommonOptions, Invocation } from '../command.js';
import { EXIT } from '../exit-codes.js';

export function workerCommand(invocation: Invocation): Command {
  return command('worker', 'run activities of a cluster');
}
