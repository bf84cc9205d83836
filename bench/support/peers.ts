import { type ChildProcess, fork, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "../../test/support/free-ports.js";
import { startServer } from "../../test/support/server-process.js";
import type { BarePeerJob } from "../load/bare-peer.js";
import type { Target } from "../load/http1-client.js";

/** A server to compare with, started again for each round. */
export interface Peer {
  readonly name: string;
  start(): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly target: Target;
  /** All its processes. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

const token = "a-token-of-the-benchmark";
const startTimeoutMs = 60_000;

function targetAt(port: number): Target {
  return {
    host: "127.0.0.1",
    port,
    ca: "",
    cert: undefined,
    key: undefined,
    tokens: [token],
    insecure: true,
  };
}

function newDirectory(): { readonly path: string; readonly tokens: string } {
  const path = mkdtempSync(join(tmpdir(), "peers-"));
  const tokens = join(path, "tokens.csv");
  writeFileSync(tokens, `${token},admin,1,system:masters\n`);
  return { path, tokens };
}

export const ownServer: Peer = {
  name: "this server",
  async start() {
    const directory = newDirectory();
    const args = [`--token-auth-file=${directory.tokens}`, "--authorization-mode=Node,RBAC"];
    const server = await startServer({ args });
    return {
      target: targetAt(server.port),
      pids: [server.pid],
      async stop() {
        await server.dispose();
        rmSync(directory.path, { recursive: true, force: true });
      },
    };
  },
};

/** Answers every request with `answerBytes`. */
export function barePeer(credentials: Pick<BarePeerJob, "cert" | "key">, answerBytes: number): Peer {
  return {
    name: "bare",
    async start() {
      // Relative to the benchmark, into which this file is bundled.
      const child = fork(fileURLToPath(new URL("./load/bare-peer.mjs", import.meta.url)));
      child.send({ ...credentials, answerBytes } satisfies BarePeerJob);
      const [port] = await once(child, "message");
      return {
        target: targetAt(port),
        pids: [child.pid ?? 0],
        stop: () => ended(child, () => child.disconnect()),
      };
    },
  };
}

/** Another implementation, with etcd, both by their paths. Each start has a new, empty store. */
export function otherServer({ server, etcd }: { readonly server: string; readonly etcd: string }): Peer {
  return {
    name: "kube-apiserver + etcd",
    async start() {
      const directory = newDirectory();
      const [port = 0, clients = 0, members = 0] = await freePorts(3);
      const key = join(directory.path, "accounts.key");
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      writeFileSync(key, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
      mkdirSync(join(directory.path, "etcd"), { mode: 0o700 });
      const store = `http://127.0.0.1:${clients}`;
      const peerUrl = `http://127.0.0.1:${members}`;
      const started = [
        run(etcd, [
          ["--data-dir", join(directory.path, "etcd")],
          ["--listen-client-urls", store],
          ["--advertise-client-urls", store],
          ["--listen-peer-urls", peerUrl],
          ["--initial-advertise-peer-urls", peerUrl],
          ["--initial-cluster", `default=${peerUrl}`],
        ]),
        run(server, [
          ["--bind-address", "127.0.0.1"],
          ["--secure-port", String(port)],
          ["--etcd-servers", store],
          ["--cert-dir", join(directory.path, "pki")],
          ["--token-auth-file", directory.tokens],
          ["--authorization-mode", "Node,RBAC"],
          ["--service-cluster-ip-range", "10.0.0.0/24"],
          ["--service-account-issuer", "https://issuer.example.com"],
          ["--service-account-key-file", key],
          ["--service-account-signing-key-file", key],
          ["--disable-admission-plugins", "ServiceAccount"],
        ]),
      ];
      const stop = async (): Promise<void> => {
        for (const child of started.reverse()) await ended(child, () => child.kill("SIGTERM"));
        rmSync(directory.path, { recursive: true, force: true });
      };
      try {
        await ready(port);
      } catch (error) {
        await stop();
        throw error;
      }
      return { target: targetAt(port), pids: started.map(({ pid = 0 }) => pid), stop };
    },
  };
}

function run(program: string, options: readonly (readonly [string, string])[]): ChildProcess {
  const args = options.map(([name, value]) => `${name}=${value}`);
  return spawn(program, args, { stdio: "ignore" });
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  end();
  await exited;
}

/** Resolves when the server is ready and has its first namespace. */
async function ready(port: number): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const statuses = [await statusOf(port, "/readyz"), await statusOf(port, "/api/v1/namespaces/default")];
    if (statuses.every((status) => status === 200)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server on port ${port} did not become ready`);
}

function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    request({ host: "127.0.0.1", port, path, headers, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", () => resolve(0))
      .end();
  });
}
