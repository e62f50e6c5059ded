/** Services of the built product, as processes. */
import { fileURLToPath } from 'node:url';
import { eventually, startProcess } from '@graphrun/testing';
import type { RunningProcess } from '@graphrun/testing';
import { PROFILE_DIR_VARIABLE, PROFILE_NAME_VARIABLE } from '../profile/variables.js';

/** The project, seen from `bench/dist/topology`. */
const PROJECT = new URL('../../../', import.meta.url);
const RECORDER = new URL('../profile/record.js', import.meta.url).href;
const READY_TIMEOUT_MS = 60_000;

export interface ServicePlan {
  readonly name: string;
  /** Folder in `apps`. */
  readonly app: 'coordinator' | 'control' | 'worker';
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Where profiles go; null records none. */
  readonly profileDir: string | null;
}

export function builtMain(app: string): string {
  return fileURLToPath(new URL(`apps/${app}/dist/main.js`, PROJECT));
}

/** Returns when the service has logged that it is ready. */
export async function startService({ name, app, env, logFile, profileDir }: ServicePlan): Promise<RunningProcess> {
  const recorder: Record<string, string> =
    profileDir === null
      ? {}
      : { NODE_OPTIONS: `--import=${RECORDER}`, [PROFILE_DIR_VARIABLE]: profileDir, [PROFILE_NAME_VARIABLE]: name };
  return startProcess({
    name,
    args: [builtMain(app)],
    env: { NODE_ENV: 'production', ...env, ...recorder },
    logFile,
    ready: saysReady,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
}

/** Each service ends its start with a log line whose message says so. */
function saysReady(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return /(^|is )ready$/.test(String((JSON.parse(line) as { readonly msg?: unknown }).msg));
  } catch {
    return false; // a line that only looks like JSON
  }
}

/** Asks `/readyz` until it says yes. */
export async function becomesReady(url: string): Promise<void> {
  await eventually(
    `${url} is ready`,
    async () => {
      const response = await fetch(`${url}/readyz`);
      if (response.ok) return true;
      throw new Error(`/readyz answered ${response.status}: ${await response.text()}`);
    },
    READY_TIMEOUT_MS,
  );
}

const WARNING_LEVEL = 40;

/** What the service has logged as a warning or worse: a figure beside such a line needs a second look. */
export function warningsOf({ name, stdout }: RunningProcess): readonly string[] {
  return stdout.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const { level, msg } = JSON.parse(line) as { readonly level?: number; readonly msg?: string };
      return level !== undefined && level >= WARNING_LEVEL ? [`${name}: ${msg ?? line}`] : [];
    } catch {
      return []; // a line that only looks like JSON
    }
  });
}
