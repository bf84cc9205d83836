import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { freePort } from "../support/free-ports.js";

const directories: string[] = [];
const running: ChildProcess[] = [];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const canReusePort = major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12);

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly directory: string;
  readonly output: () => string;
}

function start(port: number, inherited?: number): Started {
  const directory = mkdtempSync(join(tmpdir(), "port-sharing-"));
  directories.push(directory);
  const args = ["--bind-address=127.0.0.1", `--secure-port=${port}`, "--permit-port-sharing"];
  const child = spawn(
    process.execPath,
    ["bin/kube-apiserver.mjs", ...args, `--data-dir=${directory}`, `--cert-dir=${directory}/pki`],
    {
      stdio: ["ignore", "pipe", "pipe", ...(inherited === undefined ? [] : [inherited])],
      env: { ...process.env, ...(inherited !== undefined && { LISTEN_FDS: "1" }) },
    },
  );
  running.push(child);
  let text = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    text += String(bytes);
  });
  child.stderr?.on("data", (bytes: Buffer) => {
    text += String(bytes);
  });
  return { child, directory, output: () => text };
}

const ready = ({ output }: Started): Promise<void> =>
  expect.poll(output).toContain("admin.kubeconfig") as Promise<void>;

test("a listening socket that is handed over is served", async () => {
  const socket = await listening();
  const { port } = socket.address() as { port: number };
  // Node.js shows the descriptor of a server to those alone who look for it.
  const { fd } = (socket as Server & { readonly _handle: { readonly fd: number } })._handle;
  const server = start(port, fd);
  await ready(server);
  socket.close();
  const api = new ApiClient({
    url: `https://127.0.0.1:${port}`,
    kubeconfig: join(server.directory, "admin.kubeconfig"),
  });
  expect((await api.get("/readyz")).text).toBe("ok");
  await api.close();
});

test.runIf(canReusePort)("two servers share a port", async () => {
  const port = await freePort();
  const servers = [start(port), start(port)];
  for (const server of servers) await ready(server);
});

test.skipIf(canReusePort)("a runtime that cannot share a port says so", async () => {
  const server = start(await freePort());
  const [status] = await once(server.child, "exit");
  expect(status).toBe(1);
  expect(server.output()).toMatch(
    /^error: --permit-port-sharing: this runtime \(v[\d.]+\) cannot set SO_REUSEPORT: use Node\.js 22\.12 or later, or hand over a listening socket/,
  );
});

function listening(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
