import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TestAuthority } from "../../test/support/test-authority.js";
import { patchResponse } from "../../test/support/webhook-server.js";

/** What the process reports once it listens. */
export interface WebhookWorkerReady {
  readonly port: number;
  readonly caPem: string;
}

/** What the process answers to any message: the last review that it received. */
export interface LastReview {
  readonly review: string;
}

/**
 * An admission webhook in its own process: `/mutate` adds a label, any other path allows. Reads only the uid of a review, because it
 * shares the machine with the server that is measured.
 */
const authority = await TestAuthority.create("webhooks");
const { certPem, keyPem } = await authority.issue({
  commonName: "webhook",
  usage: "server",
  names: ["127.0.0.1"],
});
const patch = JSON.stringify(patchResponse([{ op: "add", path: "/metadata/labels/reviewed", value: "yes" }]));
const uidAt = '"uid":"';
let last = "";

const server = createServer({ cert: certPem, key: keyPem }, (request, answer) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    last = Buffer.concat(pieces).toString("utf8");
    const from = last.indexOf(uidAt) + uidAt.length;
    const uid = last.slice(from, last.indexOf('"', from));
    const more = request.url?.startsWith("/mutate") === true ? `,${patch.slice(1, -1)}` : "";
    const body = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"${uid}","allowed":true${more}}}`;
    answer.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    answer.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  const ready: WebhookWorkerReady = { port, caPem: authority.caPem };
  process.send?.(ready);
});
process.on("message", () => {
  const told: LastReview = { review: last };
  process.send?.(told);
});
process.once("disconnect", () => process.exit(0));
