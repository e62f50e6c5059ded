import type { ResultKey, StoredResult } from './contract.js';
import type { Reader } from './reader.js';

interface RawResult {
  readonly partition: number;
  readonly principal: string;
  readonly command_id: StoredResult['commandId'];
  readonly digest: string;
  readonly result: string;
}

/** The stored answers to client commands. */
export class CommandResults {
  constructor(private readonly reader: Reader) {}

  /** Keys without a result are left out: their commands are not known yet. */
  async find(keys: readonly ResultKey[]): Promise<readonly StoredResult[]> {
    if (keys.length === 0) return [];
    const rows = await this.reader.prepared<RawResult>('results', 'SELECT * FROM graphrun.results_v1($1, $2, $3)', [
      keys.map((key) => key.partition),
      keys.map((key) => key.principal),
      keys.map((key) => key.commandId),
    ]);
    return rows.map(storedResult);
  }

  async since(partition: number, since: number): Promise<readonly StoredResult[]> {
    const rows = await this.reader.rows<RawResult>(
      `SELECT partition, principal, command_id, digest, result FROM graphrun.result
        WHERE partition = $1 AND at >= $2 ORDER BY at`,
      [partition, since],
    );
    return rows.map(storedResult);
  }
}

function storedResult(raw: RawResult): StoredResult {
  const { partition, principal, command_id: commandId, digest, result } = raw;
  return { partition, principal, commandId, digest, result };
}
