/** Records profiles of running services and summarizes them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@graphrun/testing';
import type { RunningProcess } from '@graphrun/testing';
import { summarizeProfile } from './summary.js';
import type { CpuProfile, ProfileSummary } from './summary.js';

const WRITTEN_TIMEOUT_MS = 60_000;

export interface ServiceProfile {
  readonly service: string;
  readonly file: string;
  readonly summary: ProfileSummary;
}

export class ProfileSession {
  /** Of each service; they count in the same way. */
  #recorded = 0;

  constructor(
    private readonly dir: string,
    private readonly services: readonly RunningProcess[],
  ) {}

  /** Profiles what the services do while `work` runs. */
  async record(work: () => Promise<unknown>): Promise<readonly ServiceProfile[]> {
    this.#recorded += 1;
    this.#toggle();
    await work();
    this.#toggle();
    return Promise.all(this.services.map(({ name }) => this.#read(name)));
  }

  #toggle(): void {
    for (const { pid } of this.services) process.kill(pid, 'SIGUSR2');
  }

  async #read(service: string): Promise<ServiceProfile> {
    const file = join(this.dir, `${service}.${this.#recorded}.cpuprofile`);
    const profile = await eventually(
      `the profile ${file} is written`,
      () => existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as CpuProfile),
      WRITTEN_TIMEOUT_MS,
    );
    return { service, file, summary: summarizeProfile(profile) };
  }
}
