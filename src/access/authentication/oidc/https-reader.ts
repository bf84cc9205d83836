import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { parseBoundedJson } from "../../../remote/bounded-json.js";
import { type Dial, RemoteClient } from "../../../remote/remote-client.js";

const timeoutMs = 10_000;
const answerBytesMax = 1024 * 1024;
const clientsMax = 8;

/** Reads documents of identity providers over HTTPS. */
export class HttpsReader {
  readonly #caPem: () => string | undefined;
  readonly #dial: Dial | undefined;
  /** By origin, because keys and claims may be elsewhere than the issuer. */
  readonly #clients = new Map<string, RemoteClient>();
  #clientsCa: string | undefined;

  /** `caPem` returns the current authorities; undefined means those of the host. */
  constructor(caPem: () => string | undefined, dial: Dial | undefined) {
    this.#caPem = caPem;
    this.#dial = dial;
  }

  /** Rejects with an `Error` that names the address, for any status but 200. */
  async read(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
    return (await this.#readBytes(url, headers, signal)).toString("utf8");
  }

  async #readBytes(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    if (url.protocol !== "https:") throw new Error(`${url.origin}${url.pathname}: not an https URL`);
    const { status, body } = await this.#clientOf(url).request({
      method: "GET",
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      timeoutMs,
      signal,
      answerBytesMax,
    });
    if (status !== 200) throw new Error(`${url.origin}${url.pathname}: status ${status}`);
    return body;
  }

  async readJson(url: URL, signal: AbortSignal): Promise<JsonObject> {
    return (await this.readDocument(url, signal)).value;
  }

  /** A JSON object, and its bytes. */
  async readDocument(url: URL, signal: AbortSignal): Promise<{ value: JsonObject; bytes: Buffer }> {
    const bytes = await this.#readBytes(url, { Accept: "application/json" }, signal);
    let value: JsonValue = null;
    try {
      value = await parseBoundedJson(bytes, signal);
    } catch {
      signal.throwIfAborted();
      // Reported below.
    }
    if (!isJsonObject(value)) throw new Error(`${url.origin}${url.pathname}: not a JSON object`);
    return { value, bytes };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #clientOf(url: URL): RemoteClient {
    const caPem = this.#caPem();
    if (caPem !== this.#clientsCa) this.#retire([...this.#clients.keys()]);
    this.#clientsCa = caPem;
    let client = this.#clients.get(url.origin);
    if (client === undefined) {
      const [oldest] = this.#clients.keys();
      if (this.#clients.size >= clientsMax && oldest !== undefined) this.#retire([oldest]);
      client = new RemoteClient({
        server: { url: new URL(url.origin), caPem, serverName: undefined, insecure: false },
        connectionsMax: 4,
        dial: this.#dial,
      });
      this.#clients.set(url.origin, client);
    }
    return client;
  }

  #retire(origins: readonly string[]): void {
    for (const origin of origins) {
      // The outcome of closing idle connections does not matter.
      this.#clients
        .get(origin)
        ?.retire()
        .catch(() => {});
      this.#clients.delete(origin);
    }
  }
}
