import { eventually } from '../services/eventually.js';
import { startProcess, type ProcessExit, type RunningProcess } from '../services/process.js';

/** What one service of the product needs to start; its address and its identity stay the same over restarts. */
export interface ServicePlan {
  readonly name: string;
  /** The built entry point. */
  readonly main: string;
  readonly env: Readonly<Record<string, string>>;
  /** Base URL of its `/healthz`, `/readyz` and `/metrics`. */
  readonly healthUrl: string;
  /** Its output is appended here. */
  readonly logFile: string;
}

const READY_TIMEOUT_MS = 60_000;

/** One service of a cluster: a real process of the built product that a test may kill and bring back. */
export class Service {
  private constructor(
    private readonly plan: ServicePlan,
    private process: RunningProcess,
  ) {}

  /** Returns when the service says on `/readyz` that it is ready. */
  static async start(plan: ServicePlan): Promise<Service> {
    return new Service(plan, await launch(plan));
  }

  get name(): string {
    return this.plan.name;
  }

  get logFile(): string {
    return this.plan.logFile;
  }

  get healthUrl(): string {
    return this.plan.healthUrl;
  }

  /** Another one after `restart`. */
  get pid(): number {
    return this.process.pid;
  }

  /** The process of the last start. */
  get running(): RunningProcess {
    return this.process;
  }

  /** SIGKILL. */
  kill(): Promise<ProcessExit> {
    return this.process.kill();
  }

  /** SIGTERM: drains, then ends. */
  stop(): Promise<ProcessExit> {
    this.process.resume(); // a frozen process takes no notice of a signal to end
    return this.process.stop();
  }

  /** Starts it again as it was, after ending it if it runs. */
  async restart(): Promise<void> {
    if (!this.process.exit) await this.stop();
    this.process = await launch(this.plan);
  }

  /** SIGSTOP. */
  pause(): void {
    this.process.pause();
  }

  /** SIGCONT. */
  resume(): void {
    this.process.resume();
  }
}

async function launch({ name, main, env, logFile, healthUrl }: ServicePlan): Promise<RunningProcess> {
  const running = await startProcess({ name, args: [main], env, logFile });
  try {
    await eventually(
      `${name} is ready`,
      async () => {
        if (running.exit) return true; // no need to wait for the deadline
        const response = await fetch(`${healthUrl}/readyz`);
        if (!response.ok)
          throw new Error(`${response.status} ${await response.text()}; its log ends with:\n${running.tail(5)}`);
        return true;
      },
      READY_TIMEOUT_MS,
    );
    if (running.exit) throw new Error(`${name} ended before it was ready; it printed:\n${running.tail()}`);
    return running;
  } catch (error) {
    await running.kill();
    throw error;
  }
}
