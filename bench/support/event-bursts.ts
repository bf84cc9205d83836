import { Http1Client, type Target } from "../load/http1-client.js";
import { EventLoad } from "./event-load.js";

export interface BurstOptions {
  readonly watchers: number;
  /** How many objects each burst changes. */
  readonly objects: number;
  readonly collection: string;
}

/** Bursts of updates. Each begins when every watcher has received the previous one, so that no watch falls behind and is ended. */
export class EventBursts {
  readonly #options: BurstOptions;
  readonly #writers: readonly Http1Client[];
  readonly #events: EventLoad;
  /** Differs in each update, because an update that changes nothing has no event. */
  #turn = 1;

  private constructor(options: BurstOptions, writers: readonly Http1Client[], events: EventLoad) {
    this.#options = options;
    this.#writers = writers;
    this.#events = events;
  }

  static async open(target: Target, options: BurstOptions): Promise<EventBursts> {
    const { collection, watchers, objects } = options;
    const writers = await Promise.all(Array.from({ length: objects }, () => Http1Client.open(target)));
    for (const [object, writer] of writers.entries()) {
      await writer.request("POST", collection, configMap(`watched-${object}`, 0));
    }
    const events = await EventLoad.open({ target, protocol: "http1", watchers, collection });
    return new EventBursts(options, writers, events);
  }

  /** Process ID of the watchers. */
  get pid(): number {
    return this.#events.pid;
  }

  /** Resolves with the events that all watchers together received. */
  async run(bursts: number): Promise<number> {
    await this.#events.take();
    for (let each = 0; each < bursts; each++) await this.#burst();
    return (await this.#events.take()).events;
  }

  close(): void {
    this.#events.close();
    for (const writer of this.#writers) writer.close();
  }

  async #burst(): Promise<void> {
    const { objects, collection } = this.#options;
    const reached = this.#events.reached(this.#turn + objects - 1, objects);
    await Promise.all(
      this.#writers.map((writer, object) =>
        writer.request(
          "PUT",
          `${collection}/watched-${object}`,
          configMap(`watched-${object}`, this.#turn++),
        ),
      ),
    );
    await reached;
  }
}

function configMap(name: string, turn: number): string {
  const data = { turn: String(turn), sent: "0", text: "x".repeat(900) };
  return JSON.stringify({ metadata: { name }, data });
}
