/**
 * The mistakes that are TypeScript errors. The files in `type-tests` and the examples of docs/builder.md are compiled with
 * their `@ts-expect-error` comments taken out, and must then have exactly the errors they name:
 * `// @ts-expect-error TS2345: why`, for the line below.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { generateModule } from '../codegen/index.js';
import { catalogOf } from '../testing/order-catalog.js';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const ROOT = pathOf('../../../..');
const TESTS = pathOf('./type-tests');
/** Where the examples stand for the compiler; there is no such folder. */
const EXAMPLES = pathOf('./examples-of-the-page');

const TEST_NAMES = readdirSync(TESTS).toSorted();
const tests = new Map(TEST_NAMES.map((name) => [`${TESTS}/${name}`, readFileSync(`${TESTS}/${name}`, 'utf8')]));

const page = readFileSync(`${ROOT}/docs/builder.md`, 'utf8');
const blocks = new Map(
  [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]),
);
const EXAMPLE_NAMES = [...blocks.keys()].filter((name) => name.endsWith('.ts'));
const examples = new Map(EXAMPLE_NAMES.map((name) => [`${EXAMPLES}/${name}`, blocks.get(name) ?? '']));
const shop = generateModule(catalogOf(blocks.get('catalog.json') ?? '')).text;

const sources: ReadonlyMap<string, string> = new Map([...tests, ...examples, [`${EXAMPLES}/shop.ts`, shop]]);

/** Errors as `line TScode`, lines counted from 1. */
type Errors = readonly string[];

function expectedErrors(source: string): Errors {
  return source.split('\n').flatMap((line, index) => {
    const code = /^ *\/\/ @ts-expect-error TS(\d+): /.exec(line)?.[1];
    // The error is on the line after the comment.
    return code === undefined ? [] : [`${index + 2} TS${code}`];
  });
}

/** What the compiler says about all sources, under the options of the project. */
function compile(): ReadonlyMap<string, Errors> {
  const project: { readonly config?: unknown } = ts.readConfigFile(`${ROOT}/tsconfig.check.json`, (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent({ ...(project.config as object), include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  const directoryExists = host.directoryExists?.bind(host);
  host.fileExists = (file) => sources.has(file) || exists(file);
  host.directoryExists = (folder) => folder === EXAMPLES || directoryExists?.(folder) === true;
  host.getSourceFile = (file, version, ...rest) => {
    const source = sources.get(file);
    if (source === undefined) return read(file, version, ...rest);
    return ts.createSourceFile(file, source.replaceAll('@ts-expect-error', ''), version);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return new Map(
    [...sources.keys()].map((file) => {
      const source = program.getSourceFile(file);
      return [
        file,
        firstOfLines([...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]),
      ];
    }),
  );
}

/** A mistake may have consequences on its line; the first error is what a reader sees. */
function firstOfLines(diagnostics: readonly ts.Diagnostic[]): Errors {
  const lines = new Map(diagnostics.toReversed().map((diagnostic) => [lineOf(diagnostic), diagnostic.code]));
  return [...lines].toSorted(([a], [b]) => a - b).map(([line, code]) => `${line} TS${code}`);
}

function lineOf({ file, start }: ts.Diagnostic): number {
  return file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
}

describe('the types of the builder', () => {
  let found: ReadonlyMap<string, Errors>;

  // Compiling takes seconds; the deadline is for a machine that is busy with other things.
  beforeAll(() => {
    found = compile();
  }, 300_000);

  function expectNamed(file: string): void {
    const source = sources.get(file) ?? '';
    expect(found.get(file)).toEqual(expectedErrors(source));
    // A comment without a code would go unseen.
    expect(source.match(/@ts-/g) ?? []).toHaveLength(expectedErrors(source).length);
  }

  it.each(TEST_NAMES)('refuse the mistakes of type-tests/%s and nothing else', (name) => {
    expectNamed(`${TESTS}/${name}`);
  });

  it.each(EXAMPLE_NAMES)('agree with what the page says of %s', (name) => {
    expectNamed(`${EXAMPLES}/${name}`);
  });

  it('accept what the code generator writes', () => {
    expectNamed(`${EXAMPLES}/shop.ts`);
  });
});
