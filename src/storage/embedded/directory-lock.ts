import { createHash } from "node:crypto";
import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StorageError } from "../storage-error.js";

const ownerFileName = "owner.json";
const socketFileName = "owner.sock";

/** A socket's address holds 108 bytes on Linux, 104 on BSD. */
const socketPathBytesMax = 100;

/**
 * Makes this process the only one with the directory, or rejects with `Unavailable` naming the one that has it. What locks
 * are listening sockets, because the kernel closes them with the process, however it ends: a killed owner leaves no lock.
 *
 * - On Linux a socket in the abstract namespace, named by the directory's device and inode: binding is atomic, and the
 *   name goes with the process. It is seen within one network namespace.
 * - A socket in the directory itself, seen from other containers too. A dead one refuses connections and is replaced.
 * - `owner.json` says who, for the message alone.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const held: { close: () => Promise<void> }[] = [];
  const release = async (): Promise<void> => {
    for (const each of held.reverse()) await each.close();
  };
  try {
    const name = await systemWideName(directory);
    if (name !== undefined) {
      const server = await listen(name);
      if (server === "in use") throw await inUse(directory);
      held.push({ close: () => close(server) });
    }
    const inDirectory = await listenInDirectory(directory);
    if (inDirectory !== undefined) held.push(inDirectory);
    const ownerFile = join(directory, ownerFileName);
    await writeFile(ownerFile, `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
    held.push({ close: () => rm(ownerFile, { force: true }) });
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

async function systemWideName(directory: string): Promise<string | undefined> {
  const { dev, ino } = await stat(directory, { bigint: true });
  if (process.platform === "linux") return `\0store-${dev}-${ino}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\store-${dev}-${ino}`;
  return undefined;
}

async function listenInDirectory(directory: string): Promise<{ close: () => Promise<void> } | undefined> {
  if (process.platform === "win32") return undefined;
  const short = await shortSocketPath(directory);
  try {
    let server = await listen(short.path);
    if (server === "in use") {
      if (await accepts(short.path)) throw await inUse(directory);
      await rm(short.path, { force: true });
      server = await listen(short.path);
      if (server === "in use") throw await inUse(directory);
    }
    const listening = server;
    return {
      close: async () => {
        await close(listening);
        await short.close();
      },
    };
  } catch (error) {
    await short.close();
    // On a file system without sockets, the name in the kernel has to do.
    if (error instanceof StorageError || process.platform !== "linux") throw error;
    return undefined;
  }
}

async function shortSocketPath(directory: string): Promise<{ path: string; close: () => Promise<void> }> {
  const path = join(directory, socketFileName);
  if (Buffer.byteLength(path) <= socketPathBytesMax) return { path, close: async () => undefined };
  if (process.platform === "linux") {
    const handle = await open(directory);
    return { path: `/proc/self/fd/${handle.fd}/${socketFileName}`, close: () => handle.close() };
  }
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return { path: join(tmpdir(), `store-${hash}.sock`), close: async () => undefined };
}

function listen(path: string): Promise<Server | "in use"> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve("in use");
      else reject(error);
    });
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Whether a process listens there. A stopped process counts too: the kernel answers for it. */
function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function inUse(directory: string): Promise<StorageError> {
  const owner = await readFile(join(directory, ownerFileName), "utf8").then(
    (text) => /"pid":(\d+)/.exec(text)?.[1],
    () => undefined,
  );
  const who = owner === undefined ? "another process" : `process ${owner}`;
  return new StorageError(
    "Unavailable",
    `the store in ${directory} is in use by ${who}: one process at a time can have it open`,
  );
}
