import { createHash } from "node:crypto";
import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "../../files/make-directory.js";
import { StorageError } from "../storage-error.js";

const ownerFileName = "owner.json";

/** A socket's address holds 108 bytes on Linux, 104 on BSD. */
const socketPathBytesMax = 100;

/**
 * Makes this process the only one with the store in `directory`, or rejects with `Unavailable` naming the one that has it.
 * `owner.json` names the owner, for that message.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  makeDirectory(directory, 0o700);
  const release = await claimDirectory(directory, { purpose: "store", socketFileName: "owner.sock" });
  if (release === undefined) throw await inUse(directory);
  try {
    const ownerFile = join(directory, ownerFileName);
    await writeFile(ownerFile, `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
    return async () => {
      await rm(ownerFile, { force: true });
      await release();
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** What a directory is claimed for. Claims for different purposes do not conflict. */
export interface Claim {
  readonly purpose: string;
  readonly socketFileName: string;
}

/**
 * Makes this the only claim of its purpose on an existing directory, until the returned function is called; undefined when there is
 * another. The locks are listening sockets: the kernel closes them with the process, however that ends, so a killed owner leaves no
 * lock.
 *
 * - On Linux a socket in the abstract namespace, named by the directory's device and inode: binding is atomic, and the
 *   name goes with the process. It is seen within one network namespace.
 * - A socket in the directory itself, seen from other containers too. A dead one refuses connections and is replaced.
 */
export async function claimDirectory(
  directory: string,
  claim: Claim,
): Promise<(() => Promise<void>) | undefined> {
  const held: { close: () => Promise<void> }[] = [];
  const release = async (): Promise<void> => {
    for (const each of held.reverse()) await each.close();
  };
  try {
    const name = await systemWideName(directory, claim);
    if (name !== undefined) {
      const server = await listen(name);
      if (server === "in use") return undefined;
      held.push({ close: () => close(server) });
    }
    const inDirectory = await listenInDirectory(directory, claim);
    if (inDirectory === "in use") {
      await release();
      return undefined;
    }
    if (inDirectory !== undefined) held.push(inDirectory);
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

async function systemWideName(directory: string, { purpose }: Claim): Promise<string | undefined> {
  const { dev, ino } = await stat(directory, { bigint: true });
  if (process.platform === "linux") return `\0${purpose}-${dev}-${ino}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${purpose}-${dev}-${ino}`;
  return undefined;
}

async function listenInDirectory(
  directory: string,
  claim: Claim,
): Promise<{ close: () => Promise<void> } | "in use" | undefined> {
  if (process.platform === "win32") return undefined;
  const short = await shortSocketPath(directory, claim);
  try {
    const server = await listenInPlaceOfDead(short.path);
    if (server === "in use") {
      await short.close();
      return server;
    }
    return {
      close: async () => {
        await close(server);
        await short.close();
      },
    };
  } catch (error) {
    await short.close();
    // On a file system without sockets, the name in the kernel has to suffice.
    if (process.platform !== "linux") throw error;
    return undefined;
  }
}

async function listenInPlaceOfDead(path: string): Promise<Server | "in use"> {
  const server = await listen(path);
  if (server !== "in use" || (await accepts(path))) return server;
  await rm(path, { force: true });
  return await listen(path);
}

async function shortSocketPath(
  directory: string,
  { purpose, socketFileName }: Claim,
): Promise<{ path: string; close: () => Promise<void> }> {
  const path = join(directory, socketFileName);
  if (Buffer.byteLength(path) <= socketPathBytesMax) return { path, close: async () => undefined };
  if (process.platform === "linux") {
    const handle = await open(directory);
    return { path: `/proc/self/fd/${handle.fd}/${socketFileName}`, close: () => handle.close() };
  }
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return { path: join(tmpdir(), `${purpose}-${hash}.sock`), close: async () => undefined };
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
