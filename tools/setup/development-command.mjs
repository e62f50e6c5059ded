import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from './problem.mjs';
import { root } from './project.mjs';

/** The command line of `graphrun dev` for `npm start`, and the address it will listen on. */
export function developmentCommand(given) {
  const { values } = parseArgs({
    args: [...given],
    options: {
      host: { type: 'string' },
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      example: { type: 'string' },
    },
    strict: false, // other options belong to `graphrun dev`, which checks them
  });
  const host = values.host ?? '127.0.0.1';
  const port = Number(values.port ?? 7070);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Problem(`"${values.port}" is no port: give a number from 0 to 65535, as in "npm start -- --port 7071".`);
  }
  const defaults = Object.entries({ host, port: String(port), 'data-dir': join('.graphrun', 'dev'), example: 'order' });
  const missing = defaults
    .filter(([name]) => values[name] === undefined)
    .flatMap(([name, value]) => [`--${name}`, value]);
  return { host, port, args: [join(root, 'apps/cli/dist/main.js'), 'dev', ...missing, ...given] };
}
