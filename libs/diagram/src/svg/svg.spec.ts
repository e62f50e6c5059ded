import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Definition } from '@graphrun/dsl';
import { layout, toSvg } from '../index.js';
import type { Theme } from '../index.js';
import { complete, definition, fail, region } from '../testing/build.js';
import { boxesOf, edgesOf, framesOf } from '../testing/geometry.js';
import { everyKind, FULFILMENT_ANNOTATIONS, fulfilment, hostile, nested, sequence } from '../testing/samples.js';
import { elementsOf, readXml } from '../testing/xml.js';
import { DARK, hueOf, LIGHT } from './palette.js';

const draw = (drawn: Definition, theme?: Theme) => toSvg(layout(drawn), theme === undefined ? {} : { theme });
const partsOf = (svg: string) => elementsOf(readXml(svg));

describe('toSvg', () => {
  it('has a size, a role, a title and a description', () => {
    const [svg, title, desc] = partsOf(draw(sequence()));
    const { width, height } = layout(sequence());
    expect(svg?.attributes).toEqual({
      xmlns: 'http://www.w3.org/2000/svg',
      width: String(width),
      height: String(height),
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': 'gr-order-v1-title gr-order-v1-desc',
    });
    expect(title).toMatchObject({ name: 'title', attributes: { id: 'gr-order-v1-title' }, text: 'order v1' });
    expect(desc).toMatchObject({
      name: 'desc',
      attributes: { id: 'gr-order-v1-desc' },
      text: 'Workflow order, version 1, with 3 nodes. It starts at reserve. reserve: activity, inventory.reserve v1; then charge. charge: activity, payment.charge v1; then finish. finish: complete.',
    });
  });

  it('draws every text, box, frame and edge of the diagram', () => {
    for (const drawn of [fulfilment(), everyKind(), nested(), hostile()]) {
      const diagram = layout(drawn, FULFILMENT_ANNOTATIONS);
      const parts = partsOf(toSvg(diagram));
      const texts = [
        ...diagram.lines,
        ...framesOf(diagram).flatMap(({ lines }) => lines),
        ...boxesOf(diagram).flatMap(({ lines }) => lines),
        ...edgesOf(diagram).flatMap(({ label }) => label?.lines ?? []),
      ].map(({ text }) => text);
      expect(
        parts
          .filter(({ name }) => name === 'text')
          .map(({ text }) => text)
          .sort(),
      ).toEqual(texts.sort());
      const attribute = (name: string) => parts.flatMap(({ attributes }) => attributes[name] ?? []);
      expect(attribute('data-node').sort()).toEqual(
        boxesOf(diagram)
          .map(({ id }) => id)
          .sort(),
      );
      expect(attribute('data-region').sort()).toEqual(
        framesOf(diagram)
          .map(({ id }) => id)
          .sort(),
      );
      expect(parts.filter(({ attributes }) => attributes['class']?.startsWith('gr-edge ') === true)).toHaveLength(
        edgesOf(diagram).length,
      );
    }
  });

  it('shows all that is known of a node where one points at it', () => {
    const drawn = definition('long', region({ end: fail('a.code', 'word '.repeat(100)) }));
    const parts = partsOf(draw(drawn));
    const node = parts.find(({ attributes }) => attributes['data-node'] === '/root/nodes/end');
    expect(node?.children[0]).toMatchObject({
      name: 'title',
      text: `end (fail)\nfail with a.code\n${'word '.repeat(100)}`,
    });
  });

  it('needs nothing from elsewhere and runs nothing, whatever the definition says', () => {
    const svg = draw(hostile());
    const parts = partsOf(svg);
    expect(new Set(parts.map(({ name }) => name))).toEqual(
      new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'g', 'path', 'circle']),
    );
    const names = new Set(parts.flatMap(({ attributes }) => Object.keys(attributes)));
    for (const name of names) expect(name).not.toMatch(/^on|href|src|style/i);
    const style = parts.find(({ name }) => name === 'style')?.text ?? '';
    expect(style).not.toMatch(/url\(|@import|</i);
    expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
  });

  it('stays well formed whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const drawn = definition(text, region({ end: fail(text, text), [`x${text}`]: complete() }));
        expect(() =>
          readXml(toSvg(layout(drawn, { '': { description: text, labels: { [text]: text } } }))),
        ).not.toThrow();
      }),
      { numRuns: 200, seed: 4 },
    );
  });

  it('has the colours of one theme, or of both for a viewer to choose', () => {
    const style = (theme?: Theme) => partsOf(draw(sequence(), theme)).find(({ name }) => name === 'style')?.text ?? '';
    const page = (colour: string) => `.gr-page{fill:${colour}}`;
    expect(style('light')).toContain(page(LIGHT.page));
    expect(style('light')).not.toContain('@media');
    expect(style('dark')).toContain(page(DARK.page));
    expect(style('dark')).not.toContain(page(LIGHT.page));
    expect(style('auto')).toBe(style());
    const [first = '', second = ''] = style().split('@media (prefers-color-scheme:dark)');
    expect(first).toContain(page(LIGHT.page));
    expect(second).toContain(page(DARK.page));
  });
});

describe('the palettes', () => {
  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('%s has texts with a contrast of 4.5 and marks of 3 and more', (_, { page, card, ink, muted, line, hues }) => {
    const grounds = [page, card, ...Object.values(hues).map(({ soft }) => soft)];
    for (const ground of grounds) {
      for (const text of [ink, muted])
        expect([text, ground, contrast(text, ground) >= 4.5]).toEqual([text, ground, true]);
      expect([line, ground, contrast(line, ground) >= 3]).toEqual([line, ground, true]);
    }
    for (const { strong, soft } of Object.values(hues)) {
      for (const ground of [page, card, soft])
        expect([strong, ground, contrast(strong, ground) >= 4.5]).toEqual([strong, ground, true]);
    }
  });

  it('have a colour for every kind', () => {
    for (const { kind } of boxesOf(layout(everyKind()))) expect(LIGHT.hues[hueOf(kind)]).toBeDefined();
  });
});

/** WCAG 2: relative luminances, lighter over darker. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
