import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ClientConfig } from "../../remote/client-config.js";
import { RemoteClient } from "../../remote/remote-client.js";

export interface ServerCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: JsonValue | undefined;
}

const answerBytesMax = 16 * 1024 * 1024;

/** Calls a running server by a client configuration. */
export class ServerClient {
  readonly #client: RemoteClient;
  readonly #origin: string;
  readonly #timeoutMs: number;

  /** `timeoutMs`: of one call. */
  constructor({ server, identity }: ClientConfig, timeoutMs: number) {
    this.#client = new RemoteClient({ server, identity });
    this.#origin = server.url.origin;
    this.#timeoutMs = timeoutMs;
  }

  /** Rejects with an `Error` that has the server's message unless the answer is a success. */
  async answer({ method, path, query, body: sent }: ServerCall): Promise<JsonValue> {
    const { status, body } = await this.#client.request({
      method,
      path,
      query,
      headers: {
        accept: "application/json",
        ...(sent !== undefined && { "content-type": "application/json" }),
      },
      body: sent === undefined ? "" : JSON.stringify(sent),
      timeoutMs: this.#timeoutMs,
      answerBytesMax,
    });
    const text = body.toString("utf8");
    if (status === 404 && path.startsWith("/lab/") && !text.startsWith("{"))
      throw new Error(`${this.#origin} runs without --lab`);
    const answer: JsonValue = text.startsWith("{") ? JSON.parse(text) : {};
    if (status >= 200 && status < 300) return answer;
    const message = isJsonObject(answer) && typeof answer.message === "string" ? answer.message : text.trim();
    throw new Error(`${this.#origin} answered ${status}: ${message}`);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
