/** B9: the sequence over HTTP on one process with PGlite, and how long that process takes to start. */
import { join } from 'node:path';
import { removeDir, tempDir } from '@graphrun/testing';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import { HttpClient } from '../http/http-client.js';
import type { Rate } from '../load.js';
import { startEmbedded } from '../topology/embedded.js';
import type { EmbeddedProcess } from '../topology/embedded.js';
import { SequenceLoad } from './sequence.js';
import { publish, PURE } from './workflows.js';

/** A run of the sequence writes eight events. */
const RUNS_OF_10000_EVENTS = 1250;

export interface EmbeddedRound {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
  readonly runs: number;
  /** Start to ready, ms. */
  readonly emptyMs: number;
  /** The same with 10,000 events, after `kill -9`. */
  readonly killedMs: number;
  /** The same after an orderly stop. */
  readonly stoppedMs: number;
}

export async function embeddedRound(runs: number, inFlight: number): Promise<EmbeddedRound> {
  const dir = await tempDir('bench-embedded');
  const dataDir = join(dir, 'data');
  let current: EmbeddedProcess | null = null;
  const open = async (): Promise<EmbeddedProcess> => (current = await startEmbedded(dataDir));
  try {
    const first = await open();
    const filling = new HttpClient(first.url);
    await publish(filling, [PURE]);
    const load = new SequenceLoad(filling, PURE);
    await load.round(RUNS_OF_10000_EVENTS, inFlight, []);
    await load.verify(5);
    filling.close();
    await first.process.kill();

    const second = await open();
    const client = new HttpClient(second.url);
    load.through(client);
    await load.round(Math.ceil(runs / 4), inFlight, []);
    const consumers = [
      { name: 'graphrun dev', pid: second.process.pid },
      { name: 'client', pid: process.pid },
    ];
    const { rate, cpu } = await load.round(runs, inFlight, consumers);
    await load.verify(20);
    client.close();
    await second.process.stop();

    const third = await open();
    await third.process.stop();
    return { rate, cpu, runs, emptyMs: first.readyMs, killedMs: second.readyMs, stoppedMs: third.readyMs };
  } finally {
    await (current as EmbeddedProcess | null)?.process.kill();
    await removeDir(dir);
  }
}
