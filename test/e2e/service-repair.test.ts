import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, startServer } from "../support/server-process.js";
import { startWebhookServer } from "../support/webhook-server.js";

const services = "/api/v1/namespaces/default/services";
const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const indexes = [0, 1, 2];
const ports = 1 + indexes.length;
const args = [`--service-node-port-range=30000-${30_000 + ports - 1}`];

function nodePortService(name: string): object {
  return { metadata: { name }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
}

test("node ports that a killed server had taken for services that it never stored are free at the next start", async () => {
  const webhook = await startWebhookServer();
  const first = await startServer({ args });
  const started = [first];
  try {
    const api = new ApiClient(first);
    expect((await api.post(services, nodePortService("stored"))).status).toBe(201);
    webhook.answers.set("/hang", () => ({ hang: true }));
    const made = await api.post(webhooks, {
      metadata: { name: "hang" },
      webhooks: [
        {
          name: "hang.example.org",
          clientConfig: { url: webhook.url("/hang"), caBundle: webhook.caBundle },
          rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["services"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          timeoutSeconds: 30,
        },
      ],
    });
    expect(made.status).toBe(201);
    // They have their ports, and wait for the webhook before they are stored.
    const unanswered = indexes.map((index) =>
      api.post(services, nodePortService(`lost-${index}`)).then(
        ({ status }) => status,
        () => "cut",
      ),
    );
    await expect.poll(() => webhook.seen.length).toBe(indexes.length);
    await first.stop("SIGKILL");
    expect(await Promise.all(unanswered)).toEqual(unanswered.map(() => "cut"));
    await api.close();

    const second = await startServer({ args, dataDirectory: first.dataDirectory });
    started.push(second);
    const later = new ApiClient(second);
    await later.delete(`${webhooks}/hang`);
    const given = await Promise.all(
      indexes.map((index) => later.post(services, nodePortService(`new-${index}`))),
    );
    expect(given.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual(given.map(() => 201));
    const full = await later.post(services, nodePortService("one-too-many"));
    expect(full.text).toContain("range is full");
    await later.close();
  } finally {
    await disposeAll(started);
    await webhook.close();
  }
});
