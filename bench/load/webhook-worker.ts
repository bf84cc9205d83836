import { patchResponse, startWebhookServer } from "../../test/support/webhook-server.js";

/** What the process tells when it listens. */
export interface WebhookWorkerReady {
  readonly port: number;
  readonly caBundle: string;
}

/** An admission webhook as a process of its own: `/mutate` adds a label, any other path allows. */
const hooks = await startWebhookServer();
const label = patchResponse([{ op: "add", path: "/metadata/labels/reviewed", value: "yes" }]);
hooks.answers.set("/mutate", () => {
  // The content of the request does not matter.
  hooks.seen.length = 0;
  return { response: label };
});
hooks.answers.set("/validate", () => {
  hooks.seen.length = 0;
  return {};
});
const ready: WebhookWorkerReady = { port: hooks.port, caBundle: hooks.caBundle };
process.send?.(ready);
process.once("disconnect", () => process.exit(0));
