#!/usr/bin/env node
import { createServer } from "node:http";
import { join, resolve } from "node:path";

/**
 * Stands in for etcd in envtest. The server stores its objects itself; this program only reports that it is healthy, and tells the server
 * to store them in the directory that envtest creates for etcd and removes afterwards.
 */
const given = new Map(
  process.argv.slice(2).map((argument) => {
    const [name = "", ...value] = argument.split("=");
    return [name, value.join("=")];
  }),
);

if (given.has("--help") || given.has("-h")) {
  process.stdout.write("Usage:\n  --listen-client-urls URL\n  --data-dir DIR\n");
} else {
  serve();
}

function serve() {
  const [text] = (given.get("--listen-client-urls") ?? "").split(",");
  if (!URL.canParse(text)) {
    process.stderr.write("error: --listen-client-urls: expected http://HOST:PORT\n");
    process.exit(1);
  }
  const url = new URL(text);
  const answers = new Map([
    ["/health", JSON.stringify({ health: "true" })],
    ["/server-data-directory", resolve(join(given.get("--data-dir") ?? "default.etcd", "server"))],
  ]);
  const server = createServer((request, answer) => {
    const text = answers.get(request.url ?? "");
    answer.writeHead(text === undefined ? 404 : 200).end(text);
  });
  server.on("error", ({ message }) => {
    process.stderr.write(`error: --listen-client-urls: ${message}\n`);
    process.exit(1);
  });
  server.listen(Number(url.port), url.hostname.replace(/^\[|\]$/g, ""));
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(0));
}
