/** Type-checks modules that exist in memory only, against the sources of this package. For tests. */
import ts from 'typescript';

const SOURCES = new URL('../../', import.meta.url).pathname;
const CASES = `${SOURCES}codegen/testing/cases/`;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  noUnusedLocals: true,
  declaration: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  paths: {
    '@graphrun/dsl': [`${SOURCES}index.ts`],
    '@graphrun/dsl/builder': [`${SOURCES}builder/index.ts`],
  },
};

/** Parsed files that do not change between calls: the library of the language, and our own sources. */
const PARSED = new Map<string, ts.SourceFile>();

/**
 * What the type checker says of modules, by file name; imports between them are `./name.js`. Each complaint is
 * `name:line TScode message`.
 */
export function typeErrors(
  modules: Readonly<Record<string, string>>,
  options: ts.CompilerOptions = {},
): readonly string[] {
  const all = { ...OPTIONS, ...options };
  const texts = new Map(Object.entries(modules).map(([file, text]) => [`${CASES}${file}`, text]));
  const host = hostOf(texts, all);
  const program = ts.createProgram([...texts.keys()], all, host);
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    // Of these modules only: the sources they import are checked with the rest of the package.
    ...[...texts.keys()].flatMap((file) => {
      const source = program.getSourceFile(file);
      return [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
        ...(all.declaration === true ? program.getDeclarationDiagnostics(source) : []),
      ];
    }),
  ];
  return [...new Set(diagnostics.map(describe))];
}

function hostOf(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const fromDisk = host.getSourceFile.bind(host);
  return {
    ...host,
    fileExists: (file) => texts.has(file) || ts.sys.fileExists(file),
    // The folder of the modules does not exist either.
    directoryExists: (folder) => CASES.startsWith(`${folder}/`) || ts.sys.directoryExists(folder),
    readFile: (file) => texts.get(file) ?? ts.sys.readFile(file),
    getSourceFile(file, languageVersion, ...rest) {
      const text = texts.get(file);
      if (text !== undefined) return ts.createSourceFile(file, text, languageVersion, true);
      const known = PARSED.get(file);
      if (known !== undefined) return known;
      const parsed = fromDisk(file, languageVersion, ...rest);
      if (parsed !== undefined) PARSED.set(file, parsed);
      return parsed;
    },
  };
}

function describe(diagnostic: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replaceAll(/\s+/g, ' ');
  const { file, start } = diagnostic;
  if (file === undefined || start === undefined) return `TS${diagnostic.code} ${message}`;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName.replace(CASES, '')}:${line + 1} TS${diagnostic.code} ${message}`;
}
