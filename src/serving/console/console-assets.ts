import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { HttpExchange } from "../http/exchange.js";
import { acceptsGzip } from "../responses/gzip.js";
import { consoleHeaders } from "./console-headers.js";

/** As the build names them: `NAME-HASH.EXTENSION.gz`, and `index.html.gz`, which refers to the others. */
interface Asset {
  readonly compressed: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly isImmutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

const page = "index.html";

/** The page's files, compressed by the build. Each is read when first requested, and kept: they are small. */
export class ConsoleAssets {
  readonly #folder: string;
  #loading: Promise<ReadonlyMap<string, Asset>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Answers with a file; an empty `name` is the page itself. Resolves with false when there is no such file. */
  async answer(exchange: HttpExchange, name: string): Promise<boolean> {
    this.#loading ??= loadAssets(this.#folder);
    const asset = (await this.#loading).get(name === "" ? page : name);
    if (asset === undefined) return false;
    const headers = {
      ...consoleHeaders,
      ETag: asset.etag,
      Vary: "Accept-Encoding",
      "Cache-Control": asset.isImmutable ? "private, max-age=31536000, immutable" : "no-cache",
    };
    if (exchange.headers["if-none-match"] === asset.etag) {
      exchange.respond(304, headers);
      return true;
    }
    const typed = { ...headers, "Content-Type": asset.contentType };
    if (acceptsGzip(exchange.headers["accept-encoding"])) {
      exchange.respond(200, { ...typed, "Content-Encoding": "gzip" }, asset.compressed);
    } else {
      exchange.respond(200, typed, await promisify(gunzip)(asset.compressed));
    }
    return true;
  }
}

async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const file of await readdir(folder)) {
    const [, name, extension = ""] = /^(.+\.(\w+))\.gz$/.exec(file) ?? [];
    const contentType = contentTypes[extension];
    if (name === undefined || contentType === undefined) continue;
    const compressed = await readFile(join(folder, file));
    const [, hash] = /-(\w{8})\.\w+$/.exec(name) ?? [];
    assets.set(name, {
      compressed,
      contentType,
      etag: `"${hash ?? digestOf(compressed)}"`,
      isImmutable: hash !== undefined,
    });
  }
  return assets;
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}
