import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import type { Route } from "../../serving/routing/router.js";

/** The files that `--enable-logs-handler` serves. */
export const hostLogs = "/var/log";

const prefix = "/logs";
/** Enough to tell text from other data. */
const sniffedBytes = 512;

/** What is wrong with a path, or with the file there. */
const refusals: Readonly<Record<string, readonly [code: number, text: string]>> = {
  EACCES: [403, "403 Forbidden"],
  EPERM: [403, "403 Forbidden"],
  ENOENT: [404, "404 page not found"],
  ENOTDIR: [404, "404 page not found"],
  ELOOP: [404, "404 page not found"],
  ENAMETOOLONG: [404, "file not found"],
  // A name with a zero byte.
  ERR_INVALID_ARG_VALUE: [404, "404 page not found"],
};

/**
 * Serves the files below `folder`, each up to its current length, and directory listings. Links are followed if they lead to something
 * below it. Source: kube-apiserver, `--enable-logs-handler`.
 */
export function logFileRoutes(folder: string): Route[] {
  return [
    { path: prefix, listed: true, handle: async ({ exchange }) => redirect(exchange, "logs/") },
    {
      path: `${prefix}/*`,
      listed: false,
      async handle({ exchange, path }) {
        if (exchange.method !== "GET") throw methodNotAllowed();
        const names = path.slice(prefix.length + 1).split("/");
        if (names.includes("..")) return refuse(exchange, 400, "invalid URL path");
        try {
          await answer(exchange, await pathBelow(folder, names), path);
        } catch (error) {
          const code = error instanceof Error && "code" in error ? String(error.code) : "";
          const refusal = refusals[code];
          if (refusal === undefined || exchange.responseStarted) throw error;
          refuse(exchange, ...refusal);
        }
      },
    },
  ];
}

/** Undefined for a path outside the folder. Rejects if nothing is there. */
async function pathBelow(folder: string, names: readonly string[]): Promise<string | undefined> {
  const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, ...names))]);
  return real === root || real.startsWith(`${root}${sep}`) ? real : undefined;
}

async function answer(exchange: HttpExchange, file: string | undefined, path: string): Promise<void> {
  if (file === undefined) return refuse(exchange, 404, "404 page not found");
  const found = await stat(file);
  if (found.isDirectory()) {
    if (path.endsWith("/")) return await list(exchange, file);
    return redirect(exchange, `${encodeURIComponent(basename(path))}/`);
  }
  // Reading a pipe or a device may never end.
  if (!found.isFile()) return refuse(exchange, 404, "404 page not found");
  const handle = await open(file);
  try {
    await send(exchange, handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function list(exchange: HttpExchange, directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const lines = names.map((name) => `<a href="${hrefOf(name)}">${escaped(name)}</a>\n`);
  const page = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join("")}</pre>\n`;
  exchange.respond(200, { "Content-Type": "text/html; charset=utf-8" }, page);
}

function hrefOf(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The first `size` bytes: a log may grow meanwhile. */
async function send(exchange: HttpExchange, handle: FileHandle, size: number): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
  const isText = !buffer.subarray(0, bytesRead).includes(0);
  // Whatever a program has logged must not run in a browser.
  const headers = {
    "Content-Type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
    "X-Content-Type-Options": "nosniff",
  };
  if (size === 0) return exchange.respond(200, headers);
  const stream = exchange.startStream(200, { ...headers, "Content-Length": size });
  let sent = 0;
  for await (const piece of handle.createReadStream({ start: 0, end: size - 1, autoClose: false })) {
    if (stream.closed) return;
    sent += piece.length;
    if (!stream.write(piece)) await stream.drained();
  }
  // It was made shorter meanwhile, so that the promised length cannot be kept.
  if (sent < size) stream.abort();
  else stream.end();
}

function redirect(exchange: HttpExchange, location: string): void {
  exchange.respond(301, { Location: location });
}

function refuse(exchange: HttpExchange, code: number, text: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  exchange.respond(code, headers, `${text}\n`);
}
