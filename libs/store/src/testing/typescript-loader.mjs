/**
 * Lets a child process of a test run TypeScript sources: `node --import <this file> program.ts`. It resolves and
 * compiles as Jest does, so a test of two processes needs no build.
 */
import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformSync } from '@swc/core';

const LIBS = new URL('../../../', import.meta.url);

export function resolve(specifier, context, next) {
  const workspace = /^@graphrun\/([a-z]+)$/.exec(specifier);
  if (workspace) return next(new URL(`${workspace[1]}/src/index.ts`, LIBS).href, context);
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return next(source.href, context);
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    filename: path,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}

// The hooks run in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url, pathToFileURL('./'));
