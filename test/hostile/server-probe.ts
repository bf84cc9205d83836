import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { credentialsOf, type ServerProcess } from "../support/server-process.js";

/** What `stall-recorder.mjs` saw since it was last asked. */
export interface LoopReading {
  readonly heldMs: number;
  /** The longest hold by the clock, how long of it the main thread had the processor, and how long it collected garbage. */
  readonly gapMs: number;
  readonly gapUsedMs: number;
  readonly gapGcMs: number;
  readonly gapGc: string;
  /** The longest hold without the collections in it. */
  readonly workMs: number;
  /** Of the longest hold: collection of garbage, and of which kinds. */
  readonly gcMs: number;
  readonly gc: string;
  /** The longest single collection, in a hold or not. */
  readonly gcMaxMs: number;
  readonly rss: number;
  /** Of `rss`, without the pages of mapped files: those of the program and of the database. */
  readonly privateBytes: number;
  readonly heapTotal: number;
  readonly heapUsed: number;
  readonly external: number;
  /** Of `external`. */
  readonly arrayBuffers: number;
  readonly spaces: readonly { readonly name: string; readonly size: number; readonly used: number }[];
  /** One text per block of the event loop, when a profile was requested. */
  readonly profile?: readonly string[];
}

/** What `honest-client.mjs` saw since it was last asked. */
export interface HonestReading {
  /** The longest waits, the longest first; `at` is when each began, as `Date.now()`. */
  readonly waits: readonly { readonly at: number; readonly ms: number }[];
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly requests: number;
  readonly failures: number;
  readonly failure: string;
}

const folder = join(process.cwd(), "test/hostile");
const readingMsMax = 400_000;

/** Observes a server from inside (its event loop and memory) and from outside (an ordinary client). */
export class ServerProbe {
  readonly #directory = mkdtempSync(join(tmpdir(), "hostile-"));
  #client: ChildProcess | undefined;

  /** The server's environment. */
  get env(): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, "stall-recorder.mjs")).href}`,
      ORCH_STALL_SOCKET: this.#socket,
    };
  }

  /** Starts the client that asks for `path` all the time. */
  watch(server: ServerProcess, path: string): void {
    const file = join(this.#directory, "credentials.json");
    writeFileSync(file, JSON.stringify(credentialsOf(server)), { mode: 0o600 });
    this.#client = fork(join(folder, "honest-client.mjs"), [server.url, path, file], { execArgv: [] });
  }

  /** Reads the event loop, after `first` is done. Rejects when the server does not answer for minutes, or is gone. */
  async loop(
    first: "nothing" | "collect garbage" | "begin a profile" | "stop recording" = "nothing",
  ): Promise<LoopReading> {
    return this.#ask(
      { nothing: "r", "collect garbage": "g", "begin a profile": "p", "stop recording": "s" }[first],
    );
  }

  /** For the developer tools of a browser. It holds the server up for seconds, and memory is not what it was afterwards. */
  async writeHeapSnapshot(file: string): Promise<void> {
    await this.#ask(`h${resolve(file)}`);
  }

  async honest(): Promise<HonestReading> {
    const client = this.#client;
    if (client === undefined) throw new Error("watch was not called");
    client.send("report");
    const [reading] = await once(client, "message");
    return reading as HonestReading; // sent by honest-client.mjs
  }

  /** Ends the client that `watch` started. */
  rest(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  close(): void {
    this.rest();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #ask(command: string): Promise<LoopReading> {
    const socket = connect(this.#socket);
    socket.setTimeout(readingMsMax, () => socket.destroy(new Error("the event loop is held for minutes")));
    socket.write(command);
    return JSON.parse(await text(socket)) as LoopReading; // written by stall-recorder.mjs
  }

  get #socket(): string {
    return join(this.#directory, "stall.sock");
  }
}
