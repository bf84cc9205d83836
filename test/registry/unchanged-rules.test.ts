import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Rules that Kubernetes checks in another way from a level on, with the same answers. */

let ground: ApiGround | undefined;

afterEach(async () => {
  await ground?.dispose();
  ground = undefined;
});

function problemOf({ code, body }: { readonly code: number; readonly body: Json }): Json {
  return [code, body.details?.causes?.map(({ field, message }: Json) => `${field}: ${message}`)];
}

describe.each(["1.26", "1.27", "1.33", "1.34", "1.36"] as const)("at %s", (apiLevel) => {
  test("a scale has no negative replicas", async () => {
    ground = await openApiGround({ apiLevel });
    const { api } = ground;
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const made = await api.post(path, {
      metadata: { name: "d" },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    });
    expect(made.code, JSON.stringify(made.body)).toBe(201);
    const { body } = await api.get(`${path}/d/scale`);
    const scaled = await api.put(`${path}/d/scale`, { ...body, spec: { replicas: -1 } });
    expect(problemOf(scaled)).toEqual([
      422,
      ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
    ]);
  });

  test("an autoscaler's amounts are positive", async () => {
    ground = await openApiGround({ apiLevel });
    const target = { type: "AverageValue", averageValue: "-1" };
    const answer = await ground.api.post("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
      metadata: { name: "a" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        maxReplicas: 3,
        metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
      },
    });
    expect(problemOf(answer)).toEqual([
      422,
      [expect.stringMatching(/^spec\.metrics\[0\]\.resource\.target\.averageValue: .*must be positive$/)],
    ]);
  });
});
