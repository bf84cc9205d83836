import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import type { ExchangeHandler } from "../../../serving/http/exchange.js";
import { type Listener, type ListenOptions, listen } from "../../../serving/http/listener.js";
import { toTlsSettings } from "../../../serving/http/tls-settings.js";
import { ensureLocalPki, type LocalPki } from "../local-pki.js";
import { givePki, keepPki } from "./kept-pki.js";

/** For tests: a listener on a free port of 127.0.0.1 with its own certificate files, which the test may change. */
export interface TestServer {
  readonly listener: Listener;
  readonly pki: LocalPki;
  readonly directory: string;
  /** What `onError` was told. */
  readonly errors: unknown[];
  /** For clients: the authority and a name of the certificate. */
  readonly trust: { readonly host: string; readonly port: number; readonly ca: string };
  fetch(path: string, options?: FetchOptions): Promise<FetchResult>;
  http2(options?: ConnectionOptions): ClientHttp2Session;
  tls(options?: ConnectionOptions): Promise<TLSSocket>;
  close(): Promise<void>;
}

export interface FetchOptions {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: string | Buffer | undefined;
  readonly tls?: ConnectionOptions | undefined;
}

export interface FetchResult {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const authorityName = "test-ca";

export async function startTestServer(
  handler: ExchangeHandler,
  options: Partial<ListenOptions> = {},
): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), "orch-test-"));
  givePki(authorityName, directory);
  const pki = await ensureLocalPki({
    directory,
    now: Date.now(),
    authorityName,
    serving: { commonName: "test-server", names: ["localhost", "127.0.0.1"] },
    admin: { commonName: "admin", organizations: ["system:masters", "second"] },
    // RSA keys take long to make.
    clientKeys: "ec",
  });
  if (pki.serving === undefined) throw new Error("no serving certificate");
  await pki.finished;
  keepPki(authorityName, directory);
  const errors: unknown[] = [];
  const listener = await listen(
    {
      host: "127.0.0.1",
      port: 0,
      files: { ...pki.serving, clientCaFiles: [pki.caFile] },
      settings: toTlsSettings(undefined),
      onError: (error) => errors.push(error),
      onUnusableFile: (error) => errors.push(error),
      ...options,
    },
    handler,
  );
  const trust = { host: "127.0.0.1", port: listener.port, ca: pki.caPem };
  return {
    listener,
    pki,
    directory,
    errors,
    trust,
    fetch: (path, request) => fetchOnce(trust, path, request ?? {}),
    http2: (tls) => {
      const options = { ...trust, maxSendHeaderBlockLength: 1024 * 1024, ...tls };
      const session = connectHttp2(`https://127.0.0.1:${listener.port}`, options);
      session.on("error", () => {});
      return session;
    },
    tls: (tls) =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ ...trust, ALPNProtocols: ["http/1.1"], ...tls }, () => resolve(socket));
        socket.once("error", reject);
      }),
    close: async () => {
      await listener.close(0);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function fetchOnce(trust: TestServer["trust"], path: string, options: FetchOptions): Promise<FetchResult> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        ...trust,
        ...options.tls,
        path,
        method: options.method ?? "GET",
        headers: Object.fromEntries(
          Object.entries(options.headers ?? {}).map(([name, value]) => [
            name,
            typeof value === "string" ? value : [...value],
          ]),
        ),
        agent: false,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(options.body);
  });
}
