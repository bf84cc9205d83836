import { asError } from "../apimachinery/errors/as-error.js";
import { ClientConfigFile } from "./client-config.js";
import type { RemoteAnswer, RemoteRequest } from "./remote-call.js";
import { type Dial, RemoteClient } from "./remote-client.js";

export interface ConfiguredClientOptions {
  /** Path of a client configuration; its current context is used. */
  readonly file: string;
  readonly dial?: Dial | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called when a changed configuration is invalid: the last good one stays in use. */
  readonly onProblem: (error: Error) => void;
}

/** Minimum time between reads of the files; only calls trigger them. */
const recheckMs = 10_000;

/**
 * A `RemoteClient` for a client configuration file. When the file, or a certificate, key or token file that it names, has changed, the
 * next call after ten seconds uses the new content.
 */
export class ConfiguredClient {
  readonly #options: ConfiguredClientOptions;
  #file: ClientConfigFile;
  #client: RemoteClient;
  #checkedAt: number;
  #checking: Promise<void> | undefined;
  #closed = false;

  private constructor(options: ConfiguredClientOptions, file: ClientConfigFile, client: RemoteClient) {
    this.#options = options;
    this.#file = file;
    this.#client = client;
    this.#checkedAt = options.now();
  }

  /** Rejects with an `Error` that says what is wrong with the configuration. Does not call the server yet. */
  static async open(options: ConfiguredClientOptions): Promise<ConfiguredClient> {
    const file = await ClientConfigFile.read(options.file);
    return new ConfiguredClient(options, file, await clientOf(file, options));
  }

  async request(request: RemoteRequest): Promise<RemoteAnswer> {
    if (this.#options.now() - this.#checkedAt >= recheckMs) {
      this.#checking ??= this.#recheck().finally(() => {
        this.#checking = undefined;
      });
      await this.#checking;
    }
    return await this.#client.request(request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client.close();
  }

  async #recheck(): Promise<void> {
    this.#checkedAt = this.#options.now();
    if (await this.#file.isUnchanged()) return;
    try {
      const file = await ClientConfigFile.read(this.#options.file);
      const client = await clientOf(file, this.#options);
      const former = this.#client;
      this.#file = file;
      this.#client = client;
      if (this.#closed) await client.close();
      // Its calls are still running; how its connections end does not matter.
      former.retire().catch(() => {});
    } catch (error) {
      this.#options.onProblem(asError(error));
    }
  }
}

async function clientOf(file: ClientConfigFile, { dial }: ConfiguredClientOptions): Promise<RemoteClient> {
  const { server, identity } = await file.current();
  return new RemoteClient({ server, identity, dial });
}
