/** How types are written. */
import { align, group, hardline, ifBroken, indent, join, line, list, softline, type Doc } from './doc.js';
import { isNull, type MemberType, type TypeExpr } from './type-expr.js';

/** Where a type stands; this decides where a union breaks and what needs parentheses. */
type Place = 'declaration' | 'item' | 'tuple' | 'branch';

/** The document of a type after `type X = `, or after `member: `. */
export function typeDoc(type: TypeExpr, place: Place = 'declaration'): Doc {
  switch (type.kind) {
    case 'json':
      return 'Json';
    case 'never':
      return 'never';
    case 'name':
      return type.text;
    case 'array':
      return parenthesized(['readonly ', typeDoc(type.item, 'item'), '[]'], place === 'item');
    case 'tuple':
      return parenthesized(['readonly ', tupleDoc(type)], place === 'item');
    case 'object':
      return objectDoc(type);
    case 'union':
      return unionDoc(type.parts, place);
    case 'intersection':
      return parenthesized(intersectionDoc(type.parts), place !== 'declaration' && place !== 'tuple');
  }
}

function parenthesized(doc: Doc, needed: boolean): Doc {
  return needed ? ['(', doc, ')'] : doc;
}

function tupleDoc({ items, rest }: Extract<TypeExpr, { readonly kind: 'tuple' }>): Doc {
  const alone = items.length + (rest === null ? 0 : 1) === 1;
  const docs = items.map(({ type, optional }) =>
    optional
      ? [typeDoc(type, 'item'), '?']
      : type.kind === 'union'
        ? tupleUnion(type.parts, alone)
        : typeDoc(type, 'tuple'),
  );
  return list('[', rest === null ? docs : [...docs, ['...', typeDoc(rest, 'item'), '[]']], ']');
}

function objectDoc({ members, index }: Extract<TypeExpr, { readonly kind: 'object' }>): Doc {
  const signature = index === null ? [] : [['readonly [key: string]: ', typeDoc(index)]];
  if (members.length === 0) return group(['{', indent([line, ...signature]), ifBroken(';'), line, '}']);
  return [
    '{',
    indent([hardline, join(hardline, [...members.map(memberDoc), ...signature.map((doc) => [doc, ';'])])]),
    hardline,
    '}',
  ];
}

function memberDoc({ key, optional, type, doc }: MemberType): Doc {
  return [commentDoc(doc), `readonly ${propertyKey(key)}${optional ? '?' : ''}: `, typeDoc(type), ';'];
}

function unionDoc(parts: readonly TypeExpr[], place: Place): Doc {
  // `{ … } | null` reads as one type.
  if (hugs(parts)) {
    const hugged = join(
      ' | ',
      parts.map((part) => typeDoc(part, 'branch')),
    );
    return parenthesized(hugged, place === 'item' || place === 'branch');
  }
  const body = [softline, group([ifBroken('| '), branches(parts)])];
  return place === 'declaration' ? group(indent(body)) : ['(', group([indent(body), softline]), ')'];
}

function branches(parts: readonly TypeExpr[]): Doc {
  return join(
    [line, '| '],
    parts.map((part) => align(typeDoc(part, 'branch'))),
  );
}

function tupleUnion(parts: readonly TypeExpr[], alone: boolean): Doc {
  if (hugs(parts)) return unionDoc(parts, 'declaration');
  if (alone) return group([ifBroken('| '), branches(parts)]);
  return group([indent([ifBroken(['(', softline, '| ']), branches(parts)]), softline, ifBroken(')')]);
}

function hugs(parts: readonly TypeExpr[]): boolean {
  const rest = parts.filter((part) => !isNull(part));
  return rest.length === 1 && rest.length < parts.length && rest[0]?.kind === 'object';
}

/** Objects follow each other on one line; between other types the line may break. */
function intersectionDoc(parts: readonly TypeExpr[]): Doc {
  let indented = false;
  return group(
    parts.map((part, index) => {
      const doc = typeDoc(part, 'branch');
      const before = parts[index - 1];
      if (before === undefined) return doc;
      const objects = [before, part].filter(({ kind }) => kind === 'object').length;
      if (objects === 0) return indent([' &', line, doc]);
      if (objects === 1) indented ||= index > 1;
      return [' & ', indented ? indent(doc) : doc];
    }),
  );
}

/** A doc comment and the new line after it, or nothing. */
export function commentDoc(lines: readonly string[]): Doc {
  const [only, ...more] = lines;
  if (only === undefined) return '';
  if (more.length === 0) return [`/** ${only} */`, hardline];
  const body = lines.flatMap((text) => [text === '' ? ' *' : ` * ${text}`, hardline]);
  return ['/**', hardline, ...body, ' */', hardline];
}

/** The lines of a text for a doc comment, which nothing in it can end. */
export function commentLines(text: string): readonly string[] {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A member name, quoted where it must be. */
export function propertyKey(key: string): string {
  return PLAIN_KEY.test(key) ? key : stringLiteral(key);
}

/** A string in single quotes, or in double quotes where that needs fewer escapes. */
export function stringLiteral(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  if (singles > doubles) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
