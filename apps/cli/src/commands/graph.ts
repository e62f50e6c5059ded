/** `graphrun graph`: a definition as a picture, SVG or Mermaid. With `--definition` and `--catalog` no server is needed. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { DefinitionDetails } from '@graphrun/control';
import { layout, THEMES, toMermaid, toSvg } from '@graphrun/diagram';
import type { Theme } from '@graphrun/diagram';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import type { Annotations, Artifact } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { ApiClient } from '../client/api-client.js';
import { action, apiClient, argument, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { diagnosticLines } from '../diagnostics.js';
import { EXIT } from '../exit-codes.js';
import { readText, writeText } from '../files.js';
import type { Terminal } from '../terminal.js';

const FORMATS = ['svg', 'mermaid'] as const;

interface GraphOptions extends OnlineOptions {
  readonly workflow?: string;
  readonly version?: number;
  readonly definition?: string;
  readonly catalog?: string;
  readonly format: (typeof FORMATS)[number];
  readonly theme: Theme;
  readonly out?: string;
}

/** What is drawn: the normal form, and what the document says for people. */
interface Drawn {
  readonly artifact: Artifact;
  readonly annotations: Annotations;
}

export function graphCommand(invocation: Invocation): Command {
  return onlineCommand('graph', 'draw a definition')
    .argument('[workflow]', 'name of a published workflow')
    .option('--workflow <name>', 'name of a published workflow')
    .option('--version <n>', 'version (default: the latest)', positiveInteger)
    .option('--definition <file>', 'YAML definition, instead of a published one')
    .option('--catalog <file>', 'JSON catalog for --definition (default: what is published on the server)')
    .addOption(new Option('--format <format>', 'form of the picture').choices(FORMATS).default('svg'))
    .addOption(
      new Option('--theme <theme>', 'colours of an SVG; auto follows the viewer').choices(THEMES).default('auto'),
    )
    .option('--out <file>', 'write the picture there (default: stdout)')
    .action(
      action<GraphOptions>(invocation, async (options, terminal, args) => {
        const api = apiClient(invocation, options);
        const drawn =
          options.definition === undefined
            ? await readPublished(api, publishedName(args, options), options.version)
            : await compileFile(api, options.definition, args, options, terminal);
        if (drawn === null) return EXIT.invalid;
        await show(drawn, options, terminal);
        return EXIT.ok;
      }),
    );
}

async function show({ artifact, annotations }: Drawn, options: GraphOptions, terminal: Terminal): Promise<void> {
  const { definition, digest } = artifact;
  const { format, theme, out } = options;
  const picture =
    format === 'svg' ? toSvg(layout(definition, annotations), { theme }) : toMermaid(definition, annotations);
  if (out !== undefined) await writeText(out, picture);
  const answer = { workflow: definition.id, version: definition.version, digest, format };
  terminal.answer(out === undefined ? { ...answer, picture } : { ...answer, file: out }, () => [
    out === undefined ? picture.trimEnd() : `${definition.id} version ${definition.version} is drawn in ${out}`,
  ]);
}

function publishedName(args: readonly string[], options: GraphOptions): string {
  if (options.catalog !== undefined) {
    throw new GraphrunError('InvalidArgument', '--catalog goes with --definition; a published workflow has its own.');
  }
  const name = argument(args, options.workflow, 'The name of the workflow, or --definition,');
  if (/\.(ya?ml|json)$|[/\\]/i.test(name)) {
    throw new GraphrunError('InvalidArgument', `${name} looks like a file; draw it with --definition ${name}.`);
  }
  return name;
}

async function readPublished(api: ApiClient, workflow: string, version: number | undefined): Promise<Drawn> {
  return api.call<DefinitionDetails>({
    method: 'GET',
    path: `/v1/definitions/${encodeURIComponent(workflow)}/${version ?? 'latest'}`,
  });
}

/** Null after showing what is wrong with the file, as `graphrun validate` does. */
async function compileFile(
  api: ApiClient,
  path: string,
  args: readonly string[],
  { workflow, version, catalog: catalogPath }: GraphOptions,
  terminal: Terminal,
): Promise<Drawn | null> {
  if (args.length > 0 || workflow !== undefined || version !== undefined) {
    throw new GraphrunError('InvalidArgument', 'Draw either --definition or a published workflow, not both.');
  }
  const yaml = await readText(path);
  const [catalogText, catalogFile] =
    catalogPath === undefined
      ? [JSON.stringify(await api.call({ method: 'GET', path: '/v1/catalogs' })), 'catalog.json']
      : [await readText(catalogPath), catalogPath];
  const catalog = parseCatalog(catalogText, catalogFile);
  const compiled = catalog.ok ? compileYaml(yaml, { catalog: catalog.catalog, file: path }) : catalog;
  if (compiled.ok) return compiled;
  const { validateText } = await import('@graphrun/control');
  const view = validateText(yaml, path, catalogText, catalogFile);
  terminal.answer(view, () => [...diagnosticLines(view.diagnostics, yaml), `${path} is not valid`]);
  return null;
}
