import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ServerProcess, startServer } from "../../support/server-process.js";

/** What one request makes on the main thread of the server. */
export interface Cost {
  readonly promises: number;
  /** `process.nextTick`. */
  readonly ticks: number;
  readonly timers: number;
  readonly immediates: number;
  /** Calls of `write` and its like by the process: to sockets and files, and to wake threads. */
  readonly writes: number;
  /** Of V8's heap. */
  readonly kilobytes: number;
}

const hookFile = pathToFileURL(join(process.cwd(), "test/soak/budget/counting.mjs"));
const batch = 25;
const rounds = 5;
const roundsMax = 30;

/** A server that counts what it does. */
export class CountedServer {
  readonly server: ServerProcess;
  readonly #control: Socket;

  private constructor(server: ServerProcess, control: Socket) {
    this.server = server;
    this.#control = control;
  }

  /** `directory` is where its control socket may lie. */
  static async start(directory: string, args: readonly string[]): Promise<CountedServer> {
    const path = join(directory, "budget.sock");
    const server = await startServer({
      args,
      env: { NODE_OPTIONS: `--import ${hookFile}`, BUDGET_SOCKET: path },
    });
    const control = connect(path);
    await once(control, "connect");
    return new CountedServer(server, control);
  }

  /**
   * The cost of one call of `work`, which has been called often before. The server also works by itself, more for each call the slower the
   * machine is: so it is the least of some rounds, and of more while it is not within `allowed`.
   */
  async cost(work: () => Promise<unknown>, allowed?: Cost): Promise<Cost> {
    const counted: Counts[] = [];
    const allocated: number[] = [];
    for (;;) {
      counted.push(await this.#during("count", work));
      const { bytes } = await this.#during("allocate", work);
      if (bytes !== null) allocated.push(bytes);
      if (counted.length < rounds) continue;
      const cost = costOf(counted, allocated);
      const isEnough = allowed === undefined || exceeded(cost, allowed).length === 0;
      if (isEnough || counted.length === roundsMax) return cost;
    }
  }

  async dispose(): Promise<void> {
    this.#control.destroy();
    await this.server.dispose();
  }

  async #during(command: "count" | "allocate", work: () => Promise<unknown>): Promise<Counts> {
    await this.#ask(command);
    for (let i = 0; i < batch; i++) await work();
    return JSON.parse(await this.#ask("take"));
  }

  async #ask(command: string): Promise<string> {
    this.#control.write(command);
    const [answer] = await once(this.#control, "data");
    return String(answer);
  }
}

/** What costs more than it may. */
export function exceeded(cost: Cost, allowed: Cost): readonly string[] {
  const keys = ["promises", "ticks", "timers", "immediates", "writes", "kilobytes"] as const;
  return keys.filter((key) => cost[key] > allowed[key]);
}

function costOf(counted: readonly Counts[], allocated: readonly number[]): Cost {
  const least = (values: readonly number[]): number => Math.round(Math.min(...values) / batch);
  return {
    promises: least(counted.map(({ PROMISE }) => PROMISE)),
    ticks: least(counted.map(({ TickObject }) => TickObject)),
    timers: least(counted.map(({ Timeout }) => Timeout)),
    immediates: least(counted.map(({ Immediate }) => Immediate)),
    writes: least(counted.map(({ writes }) => writes)),
    kilobytes: Math.round(Math.min(...allocated) / batch / 102.4) / 10,
  };
}

interface Counts {
  readonly PROMISE: number;
  readonly TickObject: number;
  readonly Timeout: number;
  readonly Immediate: number;
  readonly writes: number;
  /** Null where V8 has collected garbage in between. */
  readonly bytes: number | null;
}
