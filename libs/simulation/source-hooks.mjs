/** Module hooks: packages of this repository from their sources, compiled file by file. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = new URL('../../', import.meta.url);
let planted = null;

export function initialize(data) {
  planted = data;
}

export async function resolve(specifier, context, next) {
  const own = /^@graphrun\/([a-z]+)(?:\/([a-z-]+))?$/.exec(specifier);
  if (own !== null) {
    const [, name, part] = own;
    return {
      url: new URL(`libs/${name}/src/${part === undefined ? '' : `${part}/`}index.ts`, ROOT).href,
      shortCircuit: true,
    };
  }
  const relative = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts');
  if (relative) return { url: new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL).href, shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  let source = await readFile(filename, 'utf8');
  if (planted !== null && url === new URL(planted.file, ROOT).href) source = plant(source);
  const { code } = await transform(source, {
    filename,
    swcrc: false,
    configFile: false,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}

function plant(source) {
  const { file, from, to } = planted;
  const times = source.split(from).length - 1;
  if (times !== 1)
    throw new Error(`${file} has ${times} places like ${JSON.stringify(from)}, and not one: adjust the planted bug`);
  return source.replace(from, () => to);
}
