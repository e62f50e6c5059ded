/** Reading and writing the files a command names. Every failure is one sentence with the file in it. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseJson } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';

export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EISDIR'
          ? 'is a directory'
          : `cannot be read (${code ?? 'unknown error'})`;
    throw new GraphrunError('InvalidArgument', `The file ${path} ${why}.`, { cause });
  }
}

/** Null when there is no such file. */
export async function readTextIfAny(path: string): Promise<string | null> {
  try {
    return await readText(path);
  } catch (error) {
    const cause = error instanceof GraphrunError ? error.cause : undefined;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return null;
    throw error;
  }
}

/** A JSON value within the limits of the language; integers beyond the safe range are refused. */
export async function readJson(path: string): Promise<Json> {
  const parsed = parseJson(await readText(path));
  if (parsed.ok) return parsed.value;
  const where = parsed.issue.pointer === '' ? path : `${path} at ${parsed.issue.pointer}`;
  throw new GraphrunError('InvalidArgument', `${where} ${parsed.issue.message}.`);
}

/** Replaces the file if it is there. */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'its folder does not exist' : (code ?? 'unknown error');
    throw new GraphrunError('InvalidArgument', `The file ${path} cannot be written: ${why}.`, { cause });
  }
}
