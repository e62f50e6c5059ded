import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LOADER = fileURLToPath(new URL('./typescript-loader.mjs', import.meta.url));

/** A process of its own that runs one of the programs beside this file. */
export class Child {
  private readonly seen: string[] = [];
  private readonly listeners = new Set<() => void>();
  private errors = '';
  readonly exited: Promise<number | null>;

  private constructor(private readonly process: ChildProcess) {
    const { stdout, stderr } = process;
    if (stdout === null || stderr === null) throw new Error('a child has pipes');
    createInterface({ input: stdout }).on('line', (line) => {
      this.seen.push(line);
      for (const listener of this.listeners) listener();
    });
    stderr.on('data', (text: Buffer) => (this.errors += text.toString()));
    this.exited = new Promise((resolve) => {
      process.on('close', (code) => {
        resolve(code);
        for (const listener of this.listeners) listener();
      });
    });
  }

  static start(program: string, ...args: readonly string[]): Child {
    const file = fileURLToPath(new URL(program, import.meta.url));
    return new Child(spawn(process.execPath, ['--import', LOADER, file, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  get pid(): number {
    return this.process.pid ?? -1;
  }

  get lines(): readonly string[] {
    return this.seen;
  }

  /** Resolves with the lines so far when `enough` holds for them; rejects when the process ends before. */
  until(enough: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (enough(this.seen)) resolve(this.seen);
        else if (this.process.exitCode !== null || this.process.signalCode !== null) {
          reject(new Error(`the process ended early: ${this.seen.join('\n')}\n${this.errors}`));
        } else return;
        this.listeners.delete(look);
      };
      this.listeners.add(look);
      look();
    });
  }

  say(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  kill(): Promise<number | null> {
    this.process.kill('SIGKILL');
    return this.exited;
  }
}
