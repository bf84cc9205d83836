import { builtinResources } from "../src/apis/builtin-resources.js";
import { convertToHub } from "../src/apis/definition/resource-definition.js";
import { testApiContext } from "../src/apis/testing/api-context.js";
import { ManagedFieldsTracking } from "../src/endpoints/writes/managed-fields-tracking.js";
import { createVersionedView } from "../src/registry/generic/versioned-view.js";
import { startServer } from "../test/support/server-process.js";
import { Http1Client } from "./load/http1-client.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";

/** The cost of each way to write a deployment, over TLS to a server process, compared with parsing and printing it as JSON. */

const objects = 200;
const connections = 16;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const collection = "/apis/apps/v1/namespaces/default/deployments";
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const text = JSON.stringify(deployment("stored", "web:1"));
  const plain = perSecond(() => JSON.stringify(JSON.parse(text)));
  figures.record("JSON parse + stringify of a deployment per second", plain);
  const server = await startServer();
  try {
    const clients = await Promise.all(
      Array.from({ length: connections }, () => Http1Client.open(targetOf(server))),
    );
    await measure("create", plain, clients, (client, n) =>
      client.request("POST", collection, JSON.stringify(deployment(`c-${n}`, "web:1"))),
    );
    for (let n = 0; n < objects; n++)
      await clients[0]?.request("POST", collection, JSON.stringify(deployment(`d-${n}`, "web:1")));
    const path = (n: number): string => `${collection}/d-${n % objects}`;
    await measure("update", plain, clients, (client, n) =>
      client.request("PUT", path(n), JSON.stringify(deployment(`d-${n % objects}`, `web:u${n}`))),
    );
    await measure("strategic patch", plain, clients, (client, n) =>
      client.request("PATCH", path(n), patch(`web:p${n}`), "application/strategic-merge-patch+json"),
    );
    await measure("apply", plain, clients, (client, n) =>
      client.request(
        "PATCH",
        `${path(n)}?fieldManager=bench&force=true`,
        JSON.stringify(deployment(`d-${n % objects}`, `web:a${n}`)),
        "application/apply-patch+yaml",
      ),
    );
    for (const client of clients) client.close();
  } finally {
    await server.dispose();
  }
  measureTracking();
  figures.end();
}

/** Only the part of an update that maintains `metadata.managedFields`, in this process. */
function measureTracking(): void {
  const definition = builtinResources(testApiContext()).find(({ resource }) => resource === "deployments");
  const version = definition?.versions[0];
  if (definition === undefined || version === undefined) throw new Error("no deployments");
  const view = createVersionedView(definition, version);
  const tracking = new ManagedFieldsTracking({ lastAppliedAnnotation: "example.com/last-applied" });
  const write = {
    manager: "bench",
    now: new Date(),
    subresource: "",
    resetFields: [["status"]],
    scope: { signal: new AbortController().signal },
    takeTurn: () => undefined,
  };
  const decode = (image: string) => {
    const object = convertToHub(version, view.fromJson(JSON.parse(JSON.stringify(deployment("a", image)))));
    object.metadata.uid = "u";
    return object;
  };
  const old = decode("web:1");
  void tracking.track(view, old, undefined, write);
  const updated = decode("web:2");
  const tracked = perSecond(() => {
    updated.metadata.managedFields = undefined;
    void tracking.track(view, updated, old, write);
  });
  const update = figures.get("update: per second");
  figures.record("field tracking of an update (µs)", 1e6 / tracked);
  figures.record("field tracking: part of the time of an update over HTTP", update / tracked);
}

async function measure(
  what: string,
  plain: number,
  clients: readonly Http1Client[],
  send: (client: Http1Client, n: number) => Promise<{ readonly status: number }>,
): Promise<void> {
  let next = 0;
  let failures = 0;
  // V8 compiles the server's hot code in the first second.
  let start = performance.now();
  const warm = start + 1000;
  let isWarm = false;
  let before = 0;
  const end = warm + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const { status } = await send(client, next++);
        if (status >= 300) failures++;
        if (isWarm || performance.now() < warm) continue;
        isWarm = true;
        start = performance.now();
        before = next;
      }
    }),
  );
  const rate = ((next - before) * 1000) / (performance.now() - start);
  figures.record(`${what}: per second`, rate);
  figures.record(`${what}: ratio to JSON parse + stringify`, rate / plain);
  if (failures > 0) figures.record(`${what}: FAILED`, failures);
}

function perSecond(run: () => void): number {
  for (let round = 0; round < 2000; round++) run();
  let rounds = 0;
  const start = performance.now();
  while (performance.now() - start < 1000) {
    for (let round = 0; round < 100; round++) run();
    rounds += 100;
  }
  return (rounds * 1000) / (performance.now() - start);
}

function deployment(name: string, image: string): object {
  const labels = { app: name, tier: "front" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels, annotations: { "example.com/note": "a deployment as people write them" } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "web",
              image,
              ports: [{ containerPort: 80, name: "http" }],
              env: [
                { name: "MODE", value: "fast" },
                { name: "HOST", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
              ],
              resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m" } },
              readinessProbe: { httpGet: { path: "/ready", port: "http" } },
              volumeMounts: [{ name: "data", mountPath: "/data" }],
            },
            { name: "side", image: "side:1" },
          ],
          volumes: [{ name: "data", emptyDir: {} }],
        },
      },
    },
  };
}

function patch(image: string): string {
  return JSON.stringify({ spec: { template: { spec: { containers: [{ name: "web", image }] } } } });
}
