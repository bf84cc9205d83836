import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ClientConfig } from "../../remote/client-config.js";
import { RemoteClient } from "../../remote/remote-client.js";

export interface LabCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Moving the clock waits for everything that falls due on the way. */
const callMs = 120_000;
const answerBytesMax = 16 * 1024 * 1024;

/** Calls a running server by a client configuration. */
export class LabClient {
  readonly #client: RemoteClient;
  readonly #origin: string;

  constructor({ server, identity }: ClientConfig) {
    this.#client = new RemoteClient({ server, identity });
    this.#origin = server.url.origin;
  }

  /** Rejects with an `Error` that has the server's message unless the answer is a success. */
  async answer({ method, path, query }: LabCall): Promise<JsonValue> {
    const { status, body } = await this.#client.request({
      method,
      path,
      query,
      headers: { accept: "application/json" },
      body: "",
      timeoutMs: callMs,
      answerBytesMax,
    });
    const text = body.toString("utf8");
    if (status === 404 && !text.startsWith("{")) throw new Error(`${this.#origin} runs without --lab`);
    const answer: JsonValue = text.startsWith("{") ? JSON.parse(text) : {};
    if (status >= 200 && status < 300) return answer;
    const message = isJsonObject(answer) && typeof answer.message === "string" ? answer.message : text.trim();
    throw new Error(`${this.#origin} answered ${status}: ${message}`);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
