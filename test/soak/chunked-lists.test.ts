import { CoreV1Api, KubeConfig, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ground, openGround } from "../support/fixtures.js";

let ground: Ground;
let core: CoreV1Api;

beforeAll(async () => {
  ground = await openGround();
  const config = new KubeConfig();
  config.loadFromFile(ground.server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
});

afterAll(() => ground.dispose());

test("10,000 objects listed in chunks equal the full list", async () => {
  await core.createNamespace({ body: { metadata: { name: "many" } } });
  const names = Array.from({ length: 10_000 }, (_, i) => `map-${String(i).padStart(5, "0")}`);
  const queue = names.values();
  // The client library opens a connection for each request, which would take most of the time.
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (const name of queue) {
        await ground.api.post("/api/v1/namespaces/many/configmaps", { metadata: { name } });
      }
    }),
  );
  const whole = await core.listNamespacedConfigMap({ namespace: "many" });
  const wholeNames = whole.items.map((item) => item.metadata?.name);
  expect(wholeNames.filter((name) => name !== "kube-root-ca.crt")).toEqual(names);

  const chunked: V1ConfigMap[] = [];
  let next: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace: "many",
      limit: 777,
      ...(next !== undefined && { _continue: next }),
    });
    chunked.push(...page.items);
    next = page.metadata?._continue;
  } while (next !== undefined && next !== "");
  expect(chunked).toEqual(whole.items);
});
