/** `graphrun validate`: diagnostics of a definition; with `--catalog` no server is needed. */
import type { Command } from 'commander';
import type { Validation } from '@graphrun/control';
import { action, apiClient, argument, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { diagnosticLines } from '../diagnostics.js';
import { EXIT } from '../exit-codes.js';
import { readText } from '../files.js';

interface ValidateOptions extends OnlineOptions {
  readonly definition?: string;
  readonly catalog?: string;
}

export function validateCommand(invocation: Invocation): Command {
  return onlineCommand('validate', 'check a definition')
    .argument('[definition]', 'YAML definition')
    .option('--definition <file>', 'YAML definition')
    .option('--catalog <file>', 'JSON catalog (default: what is published on the server)')
    .action(
      action<ValidateOptions>(invocation, async (options, terminal, args) => {
        const path = argument(args, options.definition, 'The definition');
        const yaml = await readText(path);
        const view =
          options.catalog === undefined
            ? await apiClient(invocation, options).call<Validation>({
                method: 'POST',
                path: '/v1/validate',
                body: { yaml, file: path },
              })
            : await validateHere(yaml, path, await readText(options.catalog), options.catalog);
        terminal.answer(view, () => [
          ...diagnosticLines(view.diagnostics, yaml),
          view.valid ? `${path} is valid, digest ${view.digest ?? ''}` : `${path} is not valid`,
          ...(view.extensions.length === 0 ? [] : [`uses beyond graphrun/v1: ${view.extensions.join(', ')}`]),
        ]);
        return view.valid ? EXIT.ok : EXIT.invalid;
      }),
    );
}

async function validateHere(yaml: string, path: string, catalog: string, catalogPath: string): Promise<Validation> {
  const { validateText } = await import('@graphrun/control');
  return validateText(yaml, path, catalog, catalogPath);
}
