/** Enough of an XML reader to see that a picture is well formed, and what is in it. Throws where it is not. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly inside, entities decoded. */
  text: string;
  readonly children: Element[];
}

const TOKEN = /<(\/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][A-Za-z0-9:-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([A-Za-z][A-Za-z0-9:-]*)="([^"<]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function readXml(source: string): Element {
  const top: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    const parent = open.at(-1);
    if (match === null || parent === undefined) throw new Error(`not well formed at ${source.slice(at, at + 60)}`);
    const [, closing, name = '', attributes = '', empty, text] = match;
    if (text !== undefined) parent.text += decode(text);
    else if (closing === '/') {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, decode(value)]);
      const element: Element = {
        name,
        attributes: Object.fromEntries(pairs) as Record<string, string>,
        text: '',
        children: [],
      };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [root] = top.children;
  if (open.length !== 1 || root === undefined || top.children.length !== 1) throw new Error('not one element');
  return root;
}

export function elementsOf(element: Element): readonly Element[] {
  return [element, ...element.children.flatMap(elementsOf)];
}

function decode(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(text))
    throw new Error('a forbidden character');
  return text.replace(/&([^;]*);?/g, (_, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`unknown entity ${name}`);
    return character;
  });
}
