import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "./api-client.js";
import { type ServerHere, startServerHere } from "./in-process-server.js";
import { disposeAll } from "./server-process.js";

/** The text of a file for `--encryption-provider-config` of kube-apiserver. */
export function encryptionConfig(
  providers: readonly object[],
  resources: readonly string[] = ["secrets"],
): string {
  return JSON.stringify({
    apiVersion: `${createNaming("kubernetes").group("apiserver.config")}/v1`,
    kind: "EncryptionConfiguration",
    resources: [{ resources, providers }],
  });
}

/** Whether a file of the server's store contains the text. */
export function isOnDisk({ dataDirectory }: ServerHere, text: string): boolean {
  const store = join(dataDirectory, "store");
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ name }) => readFileSync(join(store, name)).includes(text));
}

export interface EncryptedServer {
  readonly server: ServerHere;
  readonly api: ApiClient;
  /** The configuration of the encryption. */
  readonly file: string;
}

export interface EncryptedServerOptions {
  /** The new server uses the data of this one, which is stopped. */
  readonly before?: ServerHere | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
}

/** Servers that encrypt what they store, and the files that they are configured with. */
export class EncryptedServers {
  readonly directory = mkdtempSync(join(tmpdir(), "encrypted-"));
  readonly #started: ServerHere[] = [];
  readonly #clients: ApiClient[] = [];
  #files = 0;

  /** Without `providers`, encryption is not configured. */
  async start(
    providers: readonly object[] | undefined,
    { before, resources, args = [] }: EncryptedServerOptions = {},
  ): Promise<EncryptedServer> {
    await before?.stop();
    const file = join(this.directory, `${++this.#files}.json`);
    if (providers !== undefined) writeFileSync(file, encryptionConfig(providers, resources));
    const server = await startServerHere({
      args: [...(providers === undefined ? [] : [`--encryption-provider-config=${file}`]), ...args],
      ...(before !== undefined && { dataDirectory: before.dataDirectory }),
    });
    this.#started.push(server);
    const api = new ApiClient(server);
    this.#clients.push(api);
    return { server, api, file };
  }

  /** After each test. */
  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.close();
    await disposeAll(this.#started);
  }

  /** After all tests. */
  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
