/**
 * Text whose line breaks are decided when it is written: a group stands on one line if it fits there, and is broken at
 * its `line`s otherwise. Generated modules are laid out by the rules of the field's usual formatter (120 columns, single
 * quotes), so that they pass a format check where they are kept.
 */

export type Doc =
  | string
  | readonly Doc[]
  | { readonly kind: 'group' | 'indent' | 'align'; readonly doc: Doc }
  | { readonly kind: 'line'; readonly flat: string; readonly hard: boolean }
  | { readonly kind: 'if-broken'; readonly doc: Doc };

/** On one line if it fits, broken otherwise. */
export const group = (doc: Doc): Doc => ({ kind: 'group', doc });
export const indent = (doc: Doc): Doc => ({ kind: 'indent', doc });
/** Indented by as much as the `| ` before it. */
export const align = (doc: Doc): Doc => ({ kind: 'align', doc });
/** A space, or a new line in a broken group. */
export const line: Doc = { kind: 'line', flat: ' ', hard: false };
/** Nothing, or a new line in a broken group. */
export const softline: Doc = { kind: 'line', flat: '', hard: false };
/** A new line, which breaks every group around it. */
export const hardline: Doc = { kind: 'line', flat: '', hard: true };
/** Only in a broken group. */
export const ifBroken = (doc: Doc): Doc => ({ kind: 'if-broken', doc });

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

/** `open`, the items separated by commas, `close`; one item a line where they do not fit. */
export function list(open: string, items: readonly Doc[], close: string, trailing = ','): Doc {
  if (items.length === 0) return `${open}${close}`;
  return group([open, indent([softline, join([',', line], items)]), ifBroken(trailing), softline, close]);
}

/** Columns of a line. */
const WIDTH = 120;
const INDENT = 2;

interface Command {
  /** Columns that a new line starts with. */
  readonly indent: number;
  readonly broken: boolean;
  readonly doc: Doc;
}

/** The text of a document. No line ends in a space. */
export function layOut(doc: Doc): string {
  const pieces: string[] = [];
  let column = 0;
  /** Indentation of the current line, until something is written on it. */
  let margin = '';
  const write = (text: string): void => {
    if (text === '') return;
    pieces.push(margin, text);
    margin = '';
    column += text.length;
  };
  const rest: Command[] = [{ indent: 0, broken: true, doc }];
  for (let command = rest.pop(); command !== undefined; command = rest.pop()) {
    const { indent: depth, broken, doc: part } = command;
    if (typeof part === 'string') write(part);
    else if (isList(part)) for (const item of part.toReversed()) rest.push({ ...command, doc: item });
    else if (part.kind === 'line') {
      if (!broken && !part.hard) write(part.flat);
      else {
        pieces.push((pieces.pop() ?? '').replace(/ +$/, ''), '\n');
        margin = ' '.repeat(depth);
        column = depth;
      }
    } else if (part.kind === 'group') {
      const flat = { indent: depth, broken: false, doc: part.doc };
      const fitting = !breaks(part.doc) && fits(flat, rest, WIDTH - column);
      rest.push(fitting ? flat : { ...flat, broken: true });
    } else if (part.kind !== 'if-broken') rest.push({ ...command, indent: depth + INDENT, doc: part.doc });
    else if (broken) rest.push({ ...command, doc: part.doc });
  }
  return pieces.join('');
}

function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

const BREAKS = new WeakMap<object, boolean>();

/** Whether there is a hard line in it. Remembered, since every group around a part asks again. */
function breaks(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  let answer = BREAKS.get(doc);
  if (answer === undefined) {
    answer = isList(doc) ? doc.some(breaks) : doc.kind === 'line' ? doc.hard : breaks(doc.doc);
    BREAKS.set(doc, answer);
  }
  return answer;
}

/** Whether `first` and what follows it up to the next possible new line need at most `columns`. */
function fits(first: Command, following: readonly Command[], columns: number): boolean {
  let left = columns;
  let next = following.length;
  const open: Command[] = [first];
  while (left >= 0) {
    let command = open.pop();
    if (command === undefined) {
      next -= 1;
      command = following[next];
      if (command === undefined) return true;
    }
    const { broken, doc } = command;
    if (typeof doc === 'string') left -= doc.length;
    else if (isList(doc)) for (const item of doc.toReversed()) open.push({ ...command, doc: item });
    else if (doc.kind === 'line') {
      if (broken || doc.hard) return true;
      left -= doc.flat.length;
    } else if (doc.kind !== 'if-broken') open.push({ ...command, doc: doc.doc });
    else if (broken) open.push({ ...command, doc: doc.doc });
  }
  return false;
}
