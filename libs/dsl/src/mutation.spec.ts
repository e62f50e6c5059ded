/**
 * Proves that the broken definitions prove something: without any one rule of the compiler, some case of `negative/` gets
 * another answer. The compiler's sources are rewritten once so that each complaint, each call of a check, each thing that
 * a frame passes on and each member of a table can be switched off, and are loaded in memory. Each case is run once to
 * learn what it reaches; then each switch is tried with the cases that reach it.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import type * as ParseModule from './catalog/parse.js';
import type * as CompileModule from './compile.js';
import { expectationOf, verdict, type Case, type Compiler } from './negative/case.js';
import { SHOP_CATALOG } from './negative/catalog.js';
import { TOPICS } from './negative/index.js';

/** Which switch is off, and which were reached since that was last asked. */
class Switches {
  off: string | null = null;
  reached = new Set<string>();

  /** False for the rule that is switched off. */
  on(rule: string): boolean {
    this.reached.add(rule);
    return this.off !== rule;
  }

  /** `table.has(member)` or `table.get(member)`, as if a member that is switched off were not in the table. */
  find(name: string, table: ReadonlySet<unknown> | ReadonlyMap<unknown, unknown>, member: unknown): unknown {
    if (!table.has(member) || !this.on(memberOf(name, String(member)))) return undefined;
    return 'get' in table ? table.get(member) : true;
  }
}

const memberOf = (table: string, member: string): string => `${table} of "${member}"`;

// -------------------------------------------------------------------------------------------------------- rewriting

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A source in which every rule asks its switch, and the names of these rules. */
function rewrite(file: string, text: string): { readonly text: string; readonly rules: readonly string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const rules: string[] = [];
  const insert = (at: number, what: string): number => edits.push({ from: at, to: at, text: what });
  const asked = (node: ts.Node): string => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const rule = `${file}:${line} ${node.getText().replace(/\s+/g, ' ').slice(0, 100)}`;
    rules.push(rule);
    return `__switches.on(${JSON.stringify(rule)})`;
  };
  const visit = (node: ts.Node): void => {
    if (isComplaint(node) || isCheck(node)) {
      insert(node.getStart(), `(${asked(node)} ? `);
      insert(node.getEnd(), ' : undefined)');
    } else if (isFramePart(node)) {
      insert(node.initializer.getStart(), `${asked(node)} ? (`);
      insert(node.initializer.getEnd(), `) : scope.frame.${node.name.getText()}`);
    } else if (isLookUp(node)) {
      const table = node.expression.expression.text;
      const [member] = node.arguments;
      const question = `__switches.find(${JSON.stringify(table)}, ${table}, `;
      if (member !== undefined) edits.push({ from: node.getStart(), to: member.getStart(), text: question });
    } else if (isBound(node)) {
      const [left, right] = [node.left.getText(), node.right.getText()];
      insert(node.getStart(), `(${asked(node)} ? `);
      insert(node.getEnd(), ` : ${left} ${OFF_BY_ONE.get(node.operatorToken.kind) ?? ''} ${right})`);
    } else if (ts.isVariableDeclaration(node)) rules.push(...membersOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { text: apply(text, edits), rules };
}

function apply(text: string, edits: readonly Edit[]): string {
  let result = '';
  let read = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(read, edit.from) + edit.text;
    read = edit.to;
  }
  return result + text.slice(read);
}

/** `reporter.error(...)`: what is said about a fault. */
function isComplaint(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return ['error', 'warning'].includes(name.text) && expression.getText().endsWith('reporter');
}

/** `checkRetry(...)`, `body.check(...)`: a call for nothing but what it complains about. */
function isCheck(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isExpressionStatement(node.parent)) return false;
  const { expression } = node;
  const callee = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  return /^(check|report|walk)|^readAnnotation$/.test(callee);
}

/** `{ ...scope.frame, insideSaga: true }`: what a container changes in the frame of its bodies. */
function isFramePart(node: ts.Node): node is ts.PropertyAssignment {
  if (!ts.isPropertyAssignment(node)) return false;
  return node.parent.properties.some(
    (property) => ts.isSpreadAssignment(property) && property.expression.getText() === 'scope.frame',
  );
}

/** `count > LIMITS.nodesPerDefinition`: a limit, which may be off by one. */
function isBound(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node) || !OFF_BY_ONE.has(node.operatorToken.kind)) return false;
  if (ROUGHLY.includes(node.getText())) return false;
  const limit = /^(?:LIMITS\.\w+|SOURCE_DEPTH|MAX_(?:DIAGNOSTICS|JUNK|NESTING|PARTS)|most|(?:max|min)(?:Ms|Bytes)?)$/;
  return [node.left, node.right].some((side) => limit.test(side.getText()));
}

/** No limits to the last one: the size of a document with its regions is a guess, and so is when to look how deep it is. */
const ROUGHLY: readonly string[] = [
  'context.expandedBytes <= LIMITS.expandedBytes',
  'before <= LIMITS.expandedBytes',
  'parser.stack.length > SOURCE_DEPTH',
];

const OFF_BY_ONE: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
]);

type LookUp = ts.CallExpression & {
  readonly expression: ts.PropertyAccessExpression & { readonly expression: ts.Identifier };
};

/** `UNCATCHABLE.has(code)`: a rule in the form of a table. */
function isLookUp(node: ts.Node): node is LookUp {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return ['has', 'get'].includes(name.text) && ts.isIdentifier(expression) && TABLES.includes(expression.text);
}

const TABLES: readonly string[] = [
  'RESERVED_ERROR_CODES',
  'UNCATCHABLE',
  'DYNAMIC',
  'NAMED',
  'REGEX',
  'FOREIGN',
  'ONE_SCHEMA',
  'SCHEMA_LIST',
  'SCHEMA_MAP',
  'WIDE',
];

function membersOf({ name, initializer }: ts.VariableDeclaration): readonly string[] {
  const table = name.getText();
  if (!TABLES.includes(table) || initializer === undefined || !ts.isNewExpression(initializer)) return [];
  const [list] = initializer.arguments ?? [];
  if (list === undefined || !ts.isArrayLiteralExpression(list)) throw new Error(`${table} is not written out`);
  return list.elements.map((element) => {
    const member = ts.isArrayLiteralExpression(element) ? element.elements[0] : element;
    if (member === undefined || !ts.isStringLiteral(member)) throw new Error(`${table} has more than text`);
    return memberOf(table, member.text);
  });
}

// ---------------------------------------------------------------------------------------------------------- loading

type Exports = Record<string, unknown>;

/** The compiler with switches in it, built from the sources beside this file. */
async function loadCompiler(switches: Switches): Promise<{ compiler: Compiler; rules: readonly string[] }> {
  const rules: string[] = [];
  const code = new Map<string, string>();
  const packages = new Map<string, Exports>();
  const add = async (file: string): Promise<void> => {
    if (code.has(file)) return;
    const rewritten = rewrite(file, readFileSync(new URL(file, import.meta.url), 'utf8'));
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
    const { outputText } = ts.transpileModule(rewritten.text, { fileName: file, compilerOptions });
    code.set(file, outputText);
    rules.push(...rewritten.rules);
    for (const [, name = ''] of outputText.matchAll(/require\("([^"]+)"\)/g)) {
      if (name.startsWith('.')) await add(sourceOf(file, name));
      else if (!packages.has(name)) packages.set(name, (await import(name)) as Exports);
    }
  };
  await add('compile.ts');
  await add('catalog/parse.ts');

  const loaded = new Map<string, Exports>();
  const load = (file: string): Exports => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const exports: Exports = {};
    loaded.set(file, exports);
    const require = (name: string): Exports | undefined =>
      name.startsWith('.') ? load(sourceOf(file, name)) : packages.get(name);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- these are the sources beside this file
    const run = new Function('exports', 'require', '__switches', code.get(file) ?? '');
    (run as (...parts: readonly unknown[]) => void)(exports, require, switches);
    return exports;
  };
  const { compileYaml } = load('compile.ts') as typeof CompileModule;
  const { parseCatalog } = load('catalog/parse.ts') as typeof ParseModule;
  return { compiler: { compile: (source) => compileYaml(source, { catalog: SHOP_CATALOG }), parseCatalog }, rules };
}

const sourceOf = (from: string, name: string): string => posix.join(posix.dirname(from), name.replace(/\.js$/, '.ts'));

// ----------------------------------------------------------------------------------------------------------- proving

interface Proof extends Case {
  readonly source: string;
  readonly expected: readonly string[];
}

describe('every rule of the compiler', () => {
  const switches = new Switches();
  const proofs: readonly Proof[] = TOPICS.flatMap(({ broken, sound }) => [...broken, ...sound]).map((found) => {
    const { source, faults } = expectationOf(found.marked);
    return { ...found, source, expected: faults };
  });
  /** The cases that reach each rule. */
  const reaching = new Map<string, Proof[]>();
  let compiler: Compiler;
  let rules: readonly string[] = [];

  const answers = ({ kind, source }: Proof): readonly string[] => {
    try {
      return verdict(compiler, kind, source);
    } catch (error) {
      // Without its complaint a broken definition may reach what only sound ones reach.
      return [String(error)];
    }
  };

  beforeAll(async () => {
    ({ compiler, rules } = await loadCompiler(switches));
  });

  it('is there when nothing is switched off', () => {
    // The quick ones first: the first that misses a rule is enough.
    for (const proof of proofs.toSorted((a, b) => a.source.length - b.source.length)) {
      switches.reached = new Set();
      expect({ what: proof.what, answers: answers(proof) }).toEqual({ what: proof.what, answers: proof.expected });
      for (const rule of switches.reached) reaching.set(rule, [...(reaching.get(rule) ?? []), proof]);
    }
    expect(rules.length).toBeGreaterThan(200);
  });

  it('is missed by a case when it is switched off', () => {
    const notMissed = rules.filter((rule) => {
      switches.off = rule;
      const cases = reaching.get(rule) ?? [];
      return cases.every((proof) => JSON.stringify(answers(proof)) === JSON.stringify(proof.expected));
    });
    switches.off = null;
    expect(notMissed).toEqual([]);
  });
});
