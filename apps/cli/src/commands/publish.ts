/** `graphrun publish`: contracts and definitions become part of the cluster, for good. */
import type { Command } from 'commander';
import type { DefinitionPublished, DiagnosticView } from '@graphrun/control';
import { GraphrunError } from '@graphrun/protocol';
import type { ApiClient } from '../client/api-client.js';
import { action, apiClient, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { diagnosticLines } from '../diagnostics.js';
import { EXIT } from '../exit-codes.js';
import { readText } from '../files.js';
import type { Terminal } from '../terminal.js';

interface PublishOptions extends OnlineOptions {
  readonly definition?: string;
  readonly catalog?: string;
}

interface Published {
  readonly catalog?: unknown;
  readonly definition?: DefinitionPublished;
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
        const definition =
          yaml === null || path === undefined ? undefined : await publishDefinition(api, yaml, path, terminal);
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

/** Publishes a definition; what the compiler says about it, warnings or errors, is shown beside the answer. */
async function publishDefinition(
  api: ApiClient,
  yaml: string,
  path: string,
  terminal: Terminal,
): Promise<DefinitionPublished> {
  const show = (diagnostics: readonly DiagnosticView[]): void => {
    for (const line of diagnosticLines(diagnostics, yaml)) terminal.note(line);
  };
  try {
    const published = await api.call<DefinitionPublished>({
      method: 'POST',
      path: '/v1/definitions',
      body: { yaml, file: path },
    });
    show(published.warnings);
    return published;
  } catch (error) {
    show(diagnosticsOf(error));
    throw error;
  }
}

function diagnosticsOf(error: unknown): readonly DiagnosticView[] {
  const diagnostics = error instanceof GraphrunError ? error.details['diagnostics'] : undefined;
  return Array.isArray(diagnostics) ? (diagnostics as readonly DiagnosticView[]) : [];
}
