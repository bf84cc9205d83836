import { setImmediate } from "node:timers/promises";
import type { WatchEvent, WatchSink } from "../object-store.js";
import type { TestObject } from "./test-object.js";

/** A sink that keeps what it gets and lets a test wait for it. */
export class RecordedSink implements WatchSink<TestObject> {
  readonly received: WatchEvent<TestObject>[] = [];
  readonly batches: (readonly WatchEvent<TestObject>[])[] = [];
  ended: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;

  events(batch: readonly WatchEvent<TestObject>[]): void {
    if (this.ended !== undefined) throw new Error("events after the end");
    this.batches.push(batch);
    this.received.push(...batch);
    this.#wake();
  }

  end(error: Error | undefined): void {
    if (this.ended !== undefined) throw new Error("ended twice");
    this.ended = { error };
    this.#wake();
  }

  /** Resolves when `condition` holds, which is checked whenever something arrives. */
  async until(condition: (sink: this) => boolean): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (!condition(this)) {
      if (Date.now() > deadline) {
        throw new Error(`nothing more came after ${JSON.stringify(this.shown())} ended ${this.ended?.error}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async untilCount(count: number): Promise<void> {
    await this.until(() => this.received.length >= count);
  }

  async untilEnded(): Promise<Error | undefined> {
    await this.until(() => this.ended !== undefined);
    return this.ended?.error;
  }

  /** `ADDED a/x=1@5`, `BOOKMARK@7`: with the version in the object. */
  shown(): string[] {
    return this.received.map(showEvent);
  }
}

function showEvent(event: WatchEvent<TestObject>): string {
  if (event.type === "BOOKMARK") {
    return `BOOKMARK@${event.revision}${event.initialEventsEnd ? " end of state" : ""}`;
  }
  const { metadata, value } = event.object.decode();
  if (Number(metadata.resourceVersion) !== event.object.revision) {
    throw new Error(`${event.object.key} says ${metadata.resourceVersion} in its body`);
  }
  return `${event.type} ${event.object.key}=${value}@${event.object.revision}`;
}

/** Runs everything that is due now. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
