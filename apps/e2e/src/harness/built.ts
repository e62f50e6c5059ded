/** Where the built product lies. The campaign runs what is shipped, never the sources. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The project, seen from `apps/e2e/{src,dist}/harness`. */
const PROJECT = new URL('../../../../', import.meta.url);

const NEEDED = [
  'apps/coordinator/dist/main.js',
  'apps/worker/dist/main.js',
  'apps/control/dist/main.js',
  'apps/cli/dist/main.js',
  'apps/e2e/dist/handlers/orders.js',
  'apps/e2e/dist/handlers/faulty.js',
  'apps/e2e/dist/handlers/provided.js',
  'apps/e2e/dist/handlers/suite.js',
  'apps/provider/dist/main.js',
] as const;

/** Path of a file of the build. Throws Error that says what to run when there is none. */
export function built(file: (typeof NEEDED)[number]): string {
  const path = fileURLToPath(new URL(file, PROJECT));
  if (existsSync(path)) return path;
  throw new Error(`${file} is not built; the fault campaign runs the built product: run "npm run build" first`);
}

/** Throws Error that names all that is missing, before the first process starts. */
export function requireBuild(): void {
  const missing = NEEDED.filter((file) => !existsSync(new URL(file, PROJECT)));
  if (missing.length === 0) return;
  throw new Error(
    `the fault campaign runs the built product, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not built: run "npm run build" first`,
  );
}
