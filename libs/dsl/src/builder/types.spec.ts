/**
 * The mistakes that are TypeScript errors. Each file in `type-tests` is compiled with its `@ts-expect-error` comments taken
 * out, and must then have exactly the errors they name: `// @ts-expect-error TS2345: why`, on the line below.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const FOLDER = path('./type-tests');
const FILES = readdirSync(FOLDER).toSorted();
const EXPECTED = /^ *\/\/ @ts-expect-error TS(\d+): /;

const sources = new Map(FILES.map((file) => [file, readFileSync(`${FOLDER}/${file}`, 'utf8')]));

/** Errors as `line TScode`. */
type Errors = readonly string[];

function expectedErrors(source: string): Errors {
  return source.split('\n').flatMap((line, index) => {
    const code = EXPECTED.exec(line)?.[1];
    // Lines count from 1, and the error is on the line after the comment.
    return code === undefined ? [] : [`${index + 2} TS${code}`];
  });
}

/** What the compiler says about all files, with the options of the project. */
function compile(): ReadonlyMap<string, Errors> {
  const project = path('../../../../tsconfig.check.json');
  const { config } = ts.readConfigFile(project, ts.sys.readFile) as { readonly config: unknown };
  const { options } = ts.parseJsonConfigFileContent(
    { ...(config as object), include: [] },
    ts.sys,
    path('../../../..'),
  );
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const bare = (fileName: string): string | undefined => {
    const text = readFile(fileName);
    return fileName.startsWith(FOLDER) ? text?.replaceAll('@ts-expect-error', '') : text;
  };
  const program = ts.createProgram({
    rootNames: FILES.map((file) => `${FOLDER}/${file}`),
    options,
    host: {
      ...host,
      readFile: bare,
      getSourceFile: (fileName, version) => {
        const text = bare(fileName);
        return text === undefined ? undefined : ts.createSourceFile(fileName, text, version);
      },
    },
  });
  return new Map(
    FILES.map((file) => {
      const source = program.getSourceFile(`${FOLDER}/${file}`);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      // One mistake may have consequences on its line; the first is what a reader sees.
      const lines = new Map(found.toReversed().map((diagnostic) => [lineOf(diagnostic), diagnostic.code]));
      return [file, [...lines].toReversed().map(([line, code]) => `${line} TS${code}`)];
    }),
  );
}

function lineOf({ file, start }: ts.Diagnostic): number {
  return file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
}

describe('the types of the builder', () => {
  let found: ReadonlyMap<string, Errors>;

  beforeAll(() => {
    found = compile();
  });

  it.each(FILES)('refuse the mistakes of %s and nothing else', (file) => {
    const source = sources.get(file) ?? '';
    expect(found.get(file)).toEqual(expectedErrors(source));
    // A comment without a code would go unseen.
    expect(source.match(/@ts-/g) ?? []).toHaveLength(expectedErrors(source).length);
  });
});
