/** Programs by digest: loaded from their artifacts once, shared by all runs. */
import type { Artifact, Program } from '@graphrun/dsl';
import { loadProgram } from '@graphrun/dsl';

const CAPACITY = 512;

/** What is stored as an artifact is none that this program can execute. */
export class BrokenArtifactError extends Error {
  override readonly name = 'BrokenArtifactError';
}

export class Programs {
  readonly #load: (digest: string) => Promise<Artifact | null>;
  readonly #programs = new Map<string, Program>();

  constructor(load: (digest: string) => Promise<Artifact | null>) {
    this.#load = load;
  }

  get(digest: string): Program | undefined {
    return this.#programs.get(digest);
  }

  /** The program of a digest, or null when no artifact is stored under it. Throws BrokenArtifactError. */
  async fetch(digest: string): Promise<Program | null> {
    const there = this.#programs.get(digest);
    if (there !== undefined) return there;
    const artifact = await this.#load(digest);
    if (artifact === null) return null;
    const program = executable(artifact);
    if (this.#programs.size >= CAPACITY) {
      const oldest = this.#programs.keys().next();
      if (oldest.done !== true) this.#programs.delete(oldest.value);
    }
    this.#programs.set(digest, program);
    return program;
  }
}

function executable(artifact: Artifact): Program {
  try {
    return loadProgram(artifact);
  } catch (cause) {
    throw new BrokenArtifactError(`artifact ${artifact.digest} cannot be executed`, { cause });
  }
}
