/** The parts of a Markdown page that its test looks at: headings, code blocks and tables. */

export interface Block {
  /** What stands behind the opening fence: `yaml workflow`. */
  readonly info: string;
  readonly text: string;
  /** Line of the fence, from 1. */
  readonly line: number;
}

export interface Section {
  /** Text of the heading without its marks; empty for what stands before the first one. */
  readonly title: string;
  /** What links to the heading say behind `#`. */
  readonly anchor: string;
  readonly blocks: readonly Block[];
  /** Rows of its tables, the headings and rules left out. */
  readonly rows: readonly (readonly string[])[];
}

/** The sections of a page in their order, whatever their level. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections = [newSection('')];
  let open: { info: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const section = sections.at(-1);
    if (section === undefined) break;
    const fence = /^```(.*)$/.exec(line);
    const heading = /^#+ (.*)$/.exec(line);
    if (open !== null) {
      if (fence === null) open.lines.push(line);
      else {
        section.blocks.push({ info: open.info, text: `${open.lines.join('\n')}\n`, line: open.line });
        open = null;
      }
    } else if (fence !== null) open = { info: fence[1] ?? '', line: index + 1, lines: [] };
    else if (heading !== null) sections.push(newSection(heading[1] ?? ''));
    else if (line.startsWith('|')) {
      const cells = cellsOf(line);
      // The line above the rule is the head of the table.
      if (cells.every((cell) => /^-+$/.test(cell))) section.rows.pop();
      else section.rows.push(cells);
    }
  }
  return sections;
}

interface OpenSection extends Section {
  readonly blocks: Block[];
  readonly rows: (readonly string[])[];
}

function newSection(heading: string): OpenSection {
  const title = heading.replaceAll('`', '');
  // As GitHub makes them: lower case, no punctuation but "-" and "_", "-" for a space.
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  return { title, anchor, blocks: [], rows: [] };
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split('|')
    .map((cell) => cell.trim());
}
