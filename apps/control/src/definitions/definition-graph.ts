/** Pictures of definitions, drawn when they are asked for: the same definition always gives the same picture. */
import { layout, toMermaid, toSvg } from '@graphrun/diagram';
import type { Theme } from '@graphrun/diagram';
import type { Annotations, Definition } from '@graphrun/dsl';

export const GRAPH_FORMATS = ['svg', 'mermaid'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

export interface GraphOptions {
  readonly format: GraphFormat;
  /** Of an SVG; Mermaid leaves colours to whoever renders it. */
  readonly theme: Theme;
}

export interface Picture {
  readonly mediaType: string;
  readonly text: string;
}

export const GRAPH_MEDIA_TYPES: Readonly<Record<GraphFormat, string>> = {
  svg: 'image/svg+xml',
  mermaid: 'text/vnd.mermaid',
};

/** Pictures that are kept: the largest definitions take half a second to draw, and are looked at again and again. */
const CAPACITY = 64;

export class DefinitionGraphs {
  readonly #drawn = new Map<string, Promise<Picture>>();

  /** The picture of a published version, which never changes. `read` is asked only when it has not been drawn yet. */
  picture(workflow: string, version: number, options: GraphOptions, read: () => Promise<Drawn>): Promise<Picture> {
    const key = `${workflow}/${version}/${options.format}/${options.theme}`;
    const there = this.#drawn.get(key);
    if (there !== undefined) return there;
    const drawing = read().then((drawn) => draw(drawn, options));
    if (this.#drawn.size >= CAPACITY) {
      const oldest = this.#drawn.keys().next();
      if (oldest.done !== true) this.#drawn.delete(oldest.value);
    }
    this.#drawn.set(key, drawing);
    drawing.catch(() => this.#drawn.delete(key)); // met by the caller
    return drawing;
  }
}

/** What a picture is drawn from. */
export interface Drawn {
  readonly definition: Definition;
  readonly annotations: Annotations;
}

function draw({ definition, annotations }: Drawn, { format, theme }: GraphOptions): Picture {
  const mediaType = GRAPH_MEDIA_TYPES[format];
  switch (format) {
    case 'svg':
      return { mediaType, text: toSvg(layout(definition, annotations), { theme }) };
    case 'mermaid':
      return { mediaType, text: toMermaid(definition, annotations) };
  }
}
