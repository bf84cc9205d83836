import { setMaxListeners } from "node:events";
import { type Backoff, retry } from "../../remote/backoff.js";
import type { ConfiguredClient } from "../../remote/configured-client.js";
import type { EventDestination } from "../audit-backend.js";
import type { EventBatch } from "../event-queue.js";

export interface WebhookDestinationOptions {
  readonly client: Pick<ConfiguredClient, "request" | "close">;
  readonly apiVersion: string;
  readonly backoff: Backoff;
  /** In [0, 1). */
  readonly random: () => number;
}

/** For one attempt. */
const timeoutMs = 30_000;
/** The service's answer carries no data, and a reason for a refusal is short. */
const answerBytesMax = 1024 * 1024;

/** Posts events as an EventList to a remote service, with retries for a while. */
export class WebhookDestination implements EventDestination {
  readonly eventEnd = ",";
  readonly #options: WebhookDestinationOptions;
  readonly #closing = new AbortController();

  constructor(options: WebhookDestinationOptions) {
    this.#options = options;
    setMaxListeners(0, this.#closing.signal); // every batch on its way is one
  }

  async deliver(batch: EventBatch): Promise<void> {
    const { client, apiVersion, backoff, random } = this.#options;
    const { signal } = this.#closing;
    const body = listOf(batch, apiVersion);
    const post = async (): Promise<void> => {
      const { status } = await client.request({
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body,
        timeoutMs,
        signal,
        answerBytesMax,
        // A duplicate event does less harm than a lost one.
        idempotent: true,
      });
      if (status < 200 || status > 299) throw new Error(`the audit webhook answered with status ${status}`);
    };
    await retry(post, { backoff, random, signal, isRetryable: () => true });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the server stopped"));
    await this.#options.client.close();
  }
}

function listOf({ pieces }: EventBatch, apiVersion: string): Buffer {
  const head = `{"kind":"EventList","apiVersion":${JSON.stringify(apiVersion)},"metadata":{},"items":[`;
  const body = Buffer.concat([Buffer.from(head), ...pieces, Buffer.from("}")]);
  // Replaces the last event's comma.
  body[body.length - 2] = closingBracket;
  return body;
}

const closingBracket = 0x5d;
