import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureLocalPki } from "../../src/server/pki/local-pki.js";

// Tests look into reviews of every shape.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Review = any;

export interface WebhookAnswer {
  readonly status?: number;
  /** Sent unchanged. */
  readonly text?: string;
  /** Never answers. */
  readonly hang?: boolean;
  /** Answers only when this resolves. */
  readonly after?: Promise<void>;
  /** Sends a piece of the body now and then, without end. */
  readonly drips?: boolean;
  /** The `response` of a review; the request's uid is added. */
  readonly response?: object;
}

export interface WebhookServer {
  readonly port: number;
  /** Base64, for `caBundle`. */
  readonly caBundle: string;
  /** Every request, in order. */
  readonly seen: {
    readonly path: string;
    readonly review: Review;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** The answer for each path; unknown paths allow. */
  readonly answers: Map<string, (review: Review) => WebhookAnswer>;
  url(path: string): string;
  close(): Promise<void>;
}

/** A webhook over TLS, as an operator runs one. Its certificate is for 127.0.0.1, localhost and `names`. */
export async function startWebhookServer(names: readonly string[] = []): Promise<WebhookServer> {
  const directory = mkdtempSync(join(tmpdir(), "webhook-"));
  const { serving, caPem } = await ensureLocalPki({
    directory,
    now: Date.now(),
    authorityName: "webhook-ca",
    serving: { commonName: "webhook", names: ["127.0.0.1", "localhost", ...names] },
  });
  if (serving === undefined) throw new Error("no certificate");
  const seen: WebhookServer["seen"] = [];
  const answers: WebhookServer["answers"] = new Map();
  // A busy client sends late on a connection that has been idle: it must not be closed by then.
  const tls = { cert: serving.certPem, key: serving.keyPem, keepAliveTimeout: 60_000 };
  const server = createServer(tls, (request, answer) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", async () => {
      const review: Review = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      const path = (request.url ?? "/").split("?")[0] ?? "/";
      seen.push({ path, review, headers: request.headers });
      const { status = 200, text, hang, after, drips, response } = answers.get(path)?.(review) ?? {};
      if (hang === true) return;
      await after;
      const { apiVersion, kind, request: asked } = review;
      const body = { apiVersion, kind, response: { uid: asked.uid, allowed: true, ...response } };
      answer.writeHead(status, { "Content-Type": "application/json" });
      if (drips === true) {
        const timer = setInterval(() => answer.write(" "), 100);
        answer.once("close", () => clearInterval(timer));
        return;
      }
      answer.end(text ?? JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    caBundle: Buffer.from(caPem).toString("base64"),
    seen,
    answers,
    url: (path) => `https://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The `response` of a mutating webhook. */
export function patchResponse(patch: readonly object[]): object {
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") };
}
