import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Rules that Kubernetes checks in another way from a level on, with the same answers. */

function problemOf({ code, body }: { readonly code: number; readonly body: Json }): Json {
  return [code, body.details?.causes?.map(({ field, message }: Json) => `${field}: ${message}`)];
}

const levels = ["1.25", "1.26", "1.27", "1.29", "1.30", "1.33", "1.34", "1.36"] as const;

describe.each(levels)("at %s", (apiLevel) => {
  let ground: ApiGround;
  beforeAll(async () => {
    ground = await openApiGround({ apiLevel });
  });
  afterAll(() => ground.dispose());

  test("a scale has no negative replicas", async () => {
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

  test("paths that are matched begin with a slash", async () => {
    const backend = { service: { name: "s", port: { number: 80 } } };
    const paths = ["Exact", "Prefix"].map((pathType) => ({ path: "a", pathType, backend }));
    const answer = await ground.api.post("/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
      metadata: { name: "a" },
      spec: { rules: [{ http: { paths } }] },
    });
    expect(problemOf(answer)).toEqual([
      422,
      paths.map(
        (_, index) => `spec.rules[0].http.paths[${index}].path: Invalid value: "a": must be an absolute path`,
      ),
    ]);
  });

  test("a request for a certificate ends with its signature", async () => {
    const pem = Buffer.from(await testSigningRequest(), "base64").toString();
    const bytes = Buffer.from(pem.replace(/-----.*-----/g, ""), "base64");
    const longer = Buffer.concat([bytes, Buffer.of(5, 0)]).toString("base64");
    const ask = (text: string) =>
      ground.api.post("/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All", {
        metadata: { name: "a" },
        spec: {
          request: Buffer.from(text).toString("base64"),
          signerName: "example.org/any",
          usages: ["client auth"],
        },
      });
    expect((await ask(pem)).code).toBe(201);
    const block = `-----BEGIN CERTIFICATE REQUEST-----\n${longer}\n-----END CERTIFICATE REQUEST-----\n`;
    expect((await ask(block)).code).toBe(422);
  });
});
