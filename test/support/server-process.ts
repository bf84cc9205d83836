import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { givePki, keepPki } from "../../src/server/pki/testing/kept-pki.js";
import { freePort } from "./free-ports.js";

export interface ServerProcessOptions {
  /** Default `kubernetes`, whose names the clients use. */
  readonly profile?: "orch" | "kubernetes";
  readonly args?: readonly string[];
  /** Data directory of an earlier server to continue. */
  readonly dataDirectory?: string;
  /** Port where clients of an earlier server expect it; default any free one. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the commands; default this repository's. */
  readonly program?: string;
}

/** A server on a free port of 127.0.0.1, at API level 1.23 unless its arguments name another. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly dataDirectory: string;
  /** Its output so far. */
  output(): string;
  /** Stops it, and removes the data. */
  dispose(): Promise<void>;
}

/** The built server as a process. */
export interface ServerProcess extends TestServer {
  readonly pid: number;
  /** Resolves with the exit status, null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Tests and benchmarks run in the root of the repository, the latter as bundles that lie elsewhere. */
const ownProgram = join(process.cwd(), "bin");
/** Runs whole suites with options other than the defaults. */
export const everyServersArgs = (process.env.TEST_SERVER_ARGS ?? "").split(" ").filter((arg) => arg !== "");
/** Each serving thread has its own views of policies and its own cached answers of webhooks. */
export const hasSeveralThreads = everyServersArgs.some((arg) => /^--serving-threads=[^1]/.test(arg));
/** With this variable, Node.js reads the CA certificates, which takes a tenth of the start. */
const withoutAuthorities = { NODE_EXTRA_CA_CERTS: undefined };
const startTimeoutMs = 60_000;
/** Characters of output that are kept, of a server that logs requests of megabytes. */
const outputMax = 64 * 1024 * 1024;
/** Number of attempts: another process may take a free port before the server does. */
const portsMax = 3;

/** Rejects with the server's output when it does not start. */
export async function startServer(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), "apiserver-"));
  const pki = join(dataDirectory, "pki");
  const profile = options.profile ?? "kubernetes";
  if (options.dataDirectory === undefined) givePki(profile, pki);
  for (let tried = 1; ; tried++) {
    try {
      const server = await startOn(options.port ?? (await freePort()), dataDirectory, options);
      if (options.dataDirectory === undefined) keepPki(profile, pki);
      return server;
    } catch (error) {
      if (String(error).includes("EADDRINUSE") && tried < portsMax) continue;
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
      throw error;
    }
  }
}

async function startOn(
  port: number,
  dataDirectory: string,
  options: ServerProcessOptions,
): Promise<ServerProcess> {
  const command = options.profile === "orch" ? "orch-apiserver.mjs" : "kube-apiserver.mjs";
  const child = spawn(
    process.execPath,
    [
      join(options.program ?? ownProgram, command),
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--data-dir=${dataDirectory}`,
      `--cert-dir=${join(dataDirectory, "pki")}`,
      "--api-level=1.23",
      ...everyServersArgs,
      ...(options.args ?? []),
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...withoutAuthorities, ...options.env } },
  );
  let printed = "";
  const collect = (bytes: Buffer): void => {
    printed += bytes.toString("utf8");
    if (printed.length > outputMax) printed = printed.slice(-outputMax / 2);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  // After its exit, when all of its output has been read too.
  const closed = once(child, "close");
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  const deadline = Date.now() + startTimeoutMs;
  while (!printed.includes(" is ready on ")) {
    if (isClosed || Date.now() > deadline) {
      child.kill("SIGKILL");
      await closed;
      throw new Error(`the server did not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }

  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
    if (!isClosed) child.kill(signal);
    await closed;
    return child.exitCode;
  };
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    kubeconfig: join(dataDirectory, "admin.kubeconfig"),
    dataDirectory,
    pid: child.pid ?? 0,
    output: () => printed,
    stop,
    async dispose() {
      await stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Empties the list, the newest server first: it may use the data of earlier ones, which `dispose` removes. */
export async function disposeAll(servers: Pick<TestServer, "dispose">[]): Promise<void> {
  for (const server of servers.splice(0).reverse()) await server.dispose();
}

/** PEM texts. */
export interface Credentials {
  /** The CA that signed the server's certificate. */
  readonly ca: string;
  /** Credentials of the administrator. */
  readonly cert: string;
  readonly key: string;
}

/** The content of the kubeconfig that the server wrote. */
export function credentialsOf({ kubeconfig }: Pick<ServerProcess, "kubeconfig">): Credentials {
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name: string): string => {
    const encoded = new RegExp(`${name}: "?([A-Za-z0-9+/=]+)`).exec(text)?.[1] ?? "";
    return Buffer.from(encoded, "base64").toString("utf8");
  };
  return {
    ca: field("certificate-authority-data"),
    cert: field("client-certificate-data"),
    key: field("client-key-data"),
  };
}
