/* `npm run schemas`: writes the JSON Schemas of the language into `schemas/`, from the tables of the compiler. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGE_SCHEMAS, languageSchemaText } from '@graphrun/dsl/language-schema';

const folder = join(import.meta.dirname, '..', 'schemas');
await mkdir(folder, { recursive: true });
for (const [kind, { file }] of Object.entries(LANGUAGE_SCHEMAS)) {
  await writeFile(join(folder, file), languageSchemaText(kind));
  console.log(`schemas/${file}`);
}
