import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.js";

let server: ServerProcess;
let config: KubeConfig;
let core: CoreV1Api;

function connect(to: ServerProcess): void {
  config = new KubeConfig();
  config.loadFromFile(to.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
}

beforeAll(async () => {
  server = await startServer();
  connect(server);
});

afterAll(async () => {
  await server.dispose();
});

const namespace = "default";

test("an informer sees creates, updates and deletes, and goes on after the server was away", async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const seen: string[] = [];
  const informer = makeInformer<V1ConfigMap>(
    config,
    path,
    () => core.listNamespacedConfigMap({ namespace, labelSelector: "informed=yes" }),
    "informed=yes",
  );
  for (const verb of ["add", "update", "delete"] as const) {
    informer.on(verb, (object) => seen.push(`${verb} ${object.metadata?.name} ${object.data?.n}`));
  }
  let isStopped = false;
  // The library leaves it to its user to try again; stopping it is told as an error too.
  informer.on("error", () => setTimeout(() => isStopped || void informer.start(), 50));
  await informer.start();

  const metadata = { name: "one", labels: { informed: "yes" } };
  await core.createNamespacedConfigMap({ namespace, body: { metadata, data: { n: "1" } } });
  await expect.poll(() => seen).toContain("add one 1");

  await server.stop("SIGKILL");
  server = await startServer({ dataDirectory: server.dataDirectory, port: server.port });
  await core.replaceNamespacedConfigMap({ namespace, name: "one", body: { metadata, data: { n: "2" } } });
  await expect.poll(() => seen).toContain("update one 2");
  await core.deleteNamespacedConfigMap({ namespace, name: "one" });
  await expect.poll(() => seen).toContain("delete one 2");
  isStopped = true;
  await informer.stop();
  expect(seen).toEqual(["add one 1", "update one 2", "delete one 2"]);
});
