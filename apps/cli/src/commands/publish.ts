/** `graphrun publish`: contracts and definitions become part of the cluster, for good. */
import type { Command } from 'commander';
import type { DiagnosticView } from '@graphrun/control';
import { GraphrunError } from '@graphrun/protocol';
import { action, apiClient, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { diagnosticLines } from '../diagnostics.js';
import { EXIT } from '../exit-codes.js';
import { readText } from '../files.js';

interface PublishOptions extends OnlineOptions {
  readonly definition?: string;
  readonly catalog?: string;
}

interface Published {
  readonly catalog?: unknown;
  readonly definition?: { readonly workflow: string; readonly version: number; readonly digest: string };
}

export function publishCommand(invocation: Invocation): Command {
  return onlineCommand('publish', 'publish a catalog, a definition, or both')
    .argument('[definition]', 'YAML definition')
    .option('--definition <file>', 'YAML definition')
    .option('--catalog <file>', 'JSON catalog, published first')
    .action(
      action<PublishOptions>(invocation, async (options, terminal, args) => {
        const path = args[0] ?? options.definition;
        if (path === undefined && options.catalog === undefined) {
          throw new GraphrunError(
            'InvalidArgument',
            'Say what to publish: a definition, --catalog, or both; see --help.',
          );
        }
        const api = apiClient(invocation, options);
        const catalogText = options.catalog === undefined ? null : await readText(options.catalog);
        const yaml = path === undefined ? null : await readText(path);
        const catalog =
          catalogText === null
            ? undefined
            : await api.call({
                method: 'POST',
                path: '/v1/catalogs',
                text: { mediaType: 'application/json', content: catalogText },
              });
        let definition: Published['definition'];
        if (yaml !== null && path !== undefined) {
          try {
            definition = await api.call({ method: 'POST', path: '/v1/definitions', body: { yaml, file: path } });
          } catch (error) {
            showDiagnostics(error, yaml, (line) => terminal.note(line));
            throw error;
          }
        }
        const published: Published = {
          ...(catalog !== undefined && { catalog }),
          ...(definition !== undefined && { definition }),
        };
        terminal.answer(published, () => [
          ...(catalogText === null ? [] : [`catalog ${options.catalog ?? ''} is published`]),
          ...(definition === undefined
            ? []
            : [`${definition.workflow} version ${definition.version} is published, digest ${definition.digest}`]),
        ]);
        return EXIT.ok;
      }),
    );
}

function showDiagnostics(error: unknown, yaml: string, note: (line: string) => void): void {
  if (!(error instanceof GraphrunError)) return;
  const { diagnostics } = error.details;
  if (!Array.isArray(diagnostics)) return;
  for (const line of diagnosticLines(diagnostics as readonly DiagnosticView[], yaml)) note(line);
}
