/** `graphrun codegen`: a TypeScript module from a catalog. With `--catalog` no server is needed. */
import type { Command } from 'commander';
import { parseCatalog, renderDiagnostic } from '@graphrun/dsl';
import type { Catalog } from '@graphrun/dsl';
import { generateModule } from '@graphrun/dsl/codegen';
import { GraphrunError } from '@graphrun/protocol';
import { action, apiClient, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { readText, readTextIfAny, writeText } from '../files.js';
import type { Terminal } from '../terminal.js';

/** The answer is no, as for a run that was waited for and failed. */
const NOT_UP_TO_DATE = EXIT.runFailed;

interface CodegenOptions extends OnlineOptions {
  readonly catalog?: string;
  readonly out?: string;
  readonly check?: boolean;
}

export function codegenCommand(invocation: Invocation): Command {
  return onlineCommand('codegen', 'write TypeScript types and typed references for a catalog')
    .option('--catalog <file>', 'JSON catalog (default: what is published on the server)')
    .option('--out <file>', 'write the module there (default: stdout)')
    .option('--check', 'write nothing; exit code 1 when the file of --out is not up to date')
    .action(
      action<CodegenOptions>(invocation, async (options, terminal) => {
        const { out, check = false } = options;
        if (check && out === undefined) {
          throw new GraphrunError('InvalidArgument', '--check compares with a file; say which with --out.');
        }
        const { text, digest } = generateModule(await readCatalog(invocation, options, terminal));
        if (out === undefined) {
          terminal.answer({ digest, module: text }, () => [text.trimEnd()]);
          return EXIT.ok;
        }
        const upToDate = (await readTextIfAny(out)) === text;
        if (check) {
          terminal.answer({ digest, file: out, up_to_date: upToDate }, () => [
            upToDate ? `${out} is up to date` : `${out} is not up to date; run the same command without --check`,
          ]);
          return upToDate ? EXIT.ok : NOT_UP_TO_DATE;
        }
        if (!upToDate) await writeText(out, text);
        terminal.answer({ digest, file: out, changed: !upToDate }, () => [
          upToDate ? `${out} is up to date` : `${out} is written`,
        ]);
        return EXIT.ok;
      }),
    );
}

async function readCatalog(invocation: Invocation, options: CodegenOptions, terminal: Terminal): Promise<Catalog> {
  const [text, file] =
    options.catalog === undefined
      ? [
          JSON.stringify(await apiClient(invocation, options).call({ method: 'GET', path: '/v1/catalogs' })),
          'catalog.json',
        ]
      : [await readText(options.catalog), options.catalog];
  const result = parseCatalog(text, file);
  if (result.ok) return result.catalog;
  const { diagnostics } = result;
  for (const diagnostic of diagnostics) terminal.note(renderDiagnostic(diagnostic, text));
  const { diagnosticView } = await import('@graphrun/control');
  const count = diagnostics.length === 1 ? 'one error' : `${diagnostics.length} errors`;
  throw new GraphrunError('InvalidArgument', `The catalog ${file} is not valid: ${count}.`, {
    details: { diagnostics: diagnostics.map(diagnosticView) },
  });
}
