/** `graphrun schema`: the JSON Schema of workflow documents or of catalogs, for editors. No server is needed. */
import type { Command } from 'commander';
import { LANGUAGE_SCHEMAS, languageSchemaText } from '@graphrun/dsl/language-schema';
import type { LanguageSchemaKind } from '@graphrun/dsl/language-schema';
import { GraphrunError } from '@graphrun/protocol';
import { action, command } from '../command.js';
import type { Invocation } from '../command.js';
import { EXIT } from '../exit-codes.js';

const KINDS = Object.keys(LANGUAGE_SCHEMAS) as readonly LanguageSchemaKind[];

export function schemaCommand(invocation: Invocation): Command {
  return command('schema', 'print the JSON Schema of workflow documents or catalogs, for editors')
    .argument('[kind]', KINDS.join(' or '), 'workflow')
    .action(
      action(invocation, (_options, terminal, [kind = 'workflow']) => {
        const found = KINDS.find((candidate) => candidate === kind);
        if (found === undefined) {
          throw new GraphrunError('InvalidArgument', `There is no schema of a ${kind}; write ${KINDS.join(' or ')}.`);
        }
        terminal.answer(LANGUAGE_SCHEMAS[found].generate(), () => [languageSchemaText(found).trimEnd()]);
        return Promise.resolve(EXIT.ok);
      }),
    );
}
