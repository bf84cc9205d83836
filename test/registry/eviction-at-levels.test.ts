import { afterAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** What an eviction says of itself in the pod, and which budgets let an unready pod go. */

const grounds: ApiGround[] = [];
afterAll(async () => {
  for (const ground of grounds) await ground.dispose();
});

type Gates = readonly (readonly [FeatureGateName, boolean])[];

describe.each<[ApiLevel, Gates, { tellsWhy: boolean; lets: boolean }]>([
  ["1.25", [], { tellsWhy: false, lets: false }],
  ["1.25", [["PodDisruptionConditions", true]], { tellsWhy: true, lets: false }],
  ["1.26", [], { tellsWhy: true, lets: false }],
  ["1.26", [["PDBUnhealthyPodEvictionPolicy", true]], { tellsWhy: true, lets: true }],
  [
    "1.27",
    [
      ["PodDisruptionConditions", false],
      ["PDBUnhealthyPodEvictionPolicy", false],
    ],
    { tellsWhy: false, lets: false },
  ],
  ["1.27", [], { tellsWhy: true, lets: true }],
  ["1.36", [], { tellsWhy: true, lets: true }],
])("at %s with %j", (apiLevel, gates, { tellsWhy, lets }) => {
  test("an eviction is told of, and a lenient budget lets an unready pod go", async () => {
    const ground = await openApiGround({ apiLevel, featureGates: new Map(gates) });
    grounds.push(ground);
    const { api } = ground;
    const pods = "/api/v1/namespaces/default/pods";
    const running = async (name: string): Promise<void> => {
      const spec = { nodeName: "n1", containers: [{ name: "c", image: "i" }] };
      // The finalizer keeps it in sight.
      const metadata = { name, labels: { app: name }, finalizers: ["example.org/seen"] };
      await api.post(pods, { metadata, spec });
      await api.mergePatch(`${pods}/${name}/status`, { status: { phase: "Running" } });
    };
    const evict = async (name: string, deleteOptions?: Json): Promise<number> =>
      (
        await api.post(`${pods}/${name}/eviction`, {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name },
          deleteOptions,
        })
      ).code;

    await running("free");
    if (apiLevel === "1.36") {
      expect(await evict("free", { ignoreStoreReadErrorWithClusterBreakingPotential: true })).toBe(422);
    }
    expect(await evict("free")).toBe(201);
    const { metadata, status }: Json = (await api.get(`${pods}/free`)).body;
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status.conditions ?? []).toEqual(
      tellsWhy
        ? [
            expect.objectContaining({
              type: "DisruptionTarget",
              status: "True",
              reason: "EvictionByEvictionAPI",
              message: "Eviction API: evicting",
            }),
          ]
        : [],
    );
    // That of the pod is told by its kubelet alone.
    expect(JSON.stringify(status)).not.toContain("observedGeneration");

    await running("kept");
    const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    await api.post(budgets, {
      metadata: { name: "b" },
      spec: {
        minAvailable: 1,
        selector: { matchLabels: { app: "kept" } },
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      },
    });
    const counts = { expectedPods: 1, desiredHealthy: 1, currentHealthy: 0, disruptionsAllowed: 0 };
    await api.mergePatch(`${budgets}/b/status`, { status: { observedGeneration: 1, ...counts } });
    expect(await evict("kept")).toBe(lets ? 201 : 429);
  });
});
