import { setImmediate } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { Agent, request } from "undici";
import { linesOf } from "./lines-of.js";
import { credentialsOf, type ServerProcess } from "./server-process.js";

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export interface AskOptions {
  readonly body?: unknown;
  /** Sent unchanged, instead of `body` as JSON. */
  readonly raw?: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Plain HTTPS as the administrator, for requests that client libraries would not send. */
export class ApiClient {
  readonly #url: string;
  readonly #agent: Agent;
  /** How this client connects, for tests that connect by themselves. */
  readonly tls: { readonly ca: string; readonly cert?: string; readonly key?: string };

  constructor(
    server: Pick<ServerProcess, "url" | "kubeconfig">,
    options: { readonly anonymous?: boolean; readonly http2?: boolean } = {},
  ) {
    const credentials = credentialsOf(server);
    this.#url = server.url;
    this.tls = options.anonymous === true ? { ca: credentials.ca } : credentials;
    this.#agent = new Agent({
      allowH2: options.http2 === true,
      // One context: it reads the certificates once, not for each connection. A busy machine may take longer than this client's default
      // of ten seconds.
      connect: { secureContext: createSecureContext(this.tls), timeout: 60_000 },
    });
  }

  async ask(method: string, path: string, options: AskOptions = {}): Promise<ApiAnswer> {
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const contentType = options.contentType ?? (body === null ? undefined : "application/json");
    const answer = await request(`${this.#url}${path}`, {
      // Tests send methods that no server supports.
      method: method as "GET",
      dispatcher: this.#agent,
      body,
      headers: { ...(contentType !== undefined && { "content-type": contentType }), ...options.headers },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const text = bytes.toString("utf8");
    // The agent reuses the connection only after this turn: an immediate request would open another.
    await setImmediate();
    return { status: answer.statusCode, headers: answer.headers, bytes, text, body: parse(text) };
  }

  get(path: string): Promise<ApiAnswer> {
    return this.ask("GET", path);
  }

  post(path: string, body: unknown): Promise<ApiAnswer> {
    return this.ask("POST", path, { body });
  }

  put(path: string, body: unknown): Promise<ApiAnswer> {
    return this.ask("PUT", path, { body });
  }

  delete(path: string, body?: unknown): Promise<ApiAnswer> {
    return this.ask("DELETE", path, body === undefined ? {} : { body });
  }

  patch(path: string, contentType: string, body: unknown): Promise<ApiAnswer> {
    return this.ask("PATCH", path, { body, contentType });
  }

  /** The events of a watch as they come, until the caller stops or the server ends it. */
  async *watch(
    path: string,
    signal?: AbortSignal,
  ): AsyncGenerator<{ type: string; object: ApiAnswer["body"] }> {
    const answer = await request(`${this.#url}${path}`, {
      dispatcher: this.#agent,
      ...(signal && { signal }),
    });
    if (answer.statusCode !== 200)
      throw new Error(`watch answered ${answer.statusCode}: ${await answer.body.text()}`);
    for await (const line of linesOf(answer.body)) yield JSON.parse(line);
  }

  /** The pieces of an answer as they arrive. Rejects unless the status is 200, and if the answer breaks off. */
  async *stream(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const answer = await request(`${this.#url}${path}`, {
      dispatcher: this.#agent,
      headers,
      ...(signal && { signal }),
    });
    if (answer.statusCode !== 200)
      throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
    for await (const piece of answer.body) yield piece;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
