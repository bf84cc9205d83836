import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ImageReview } from "../../apis/gen/imagepolicy-v1alpha1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { imagePolicyWebhook } from "./image-policy-webhook.js";

const configured = (fields: object = {}) => ({ imagePolicy: { kubeConfigFile: "file", ...fields } });

type Answer = Partial<Pick<ImageReview, "status">>;

/** A service that answers with a status, or fails. */
function groundOf(answer: Answer | Error, fields: object = {}) {
  const asked: JsonObject[] = [];
  const failures: string[] = [];
  const ground = new PluginGround(imagePolicyWebhook, {
    configuration: configured(fields),
    imageReviewer: {
      async review(review) {
        asked.push(review);
        if (answer instanceof Error) throw answer;
        return { status: { allowed: false }, ...answer };
      },
      failed: (reason, isIgnored) => void failures.push(`${reason} ${isIgnored}`),
    },
  });
  return { ground, asked, failures };
}

const allowing = { status: { allowed: true } };

test("the service is told of images, of annotations for it, and the namespace", async () => {
  const { ground, asked } = groundOf(allowing);
  const object = podWith(
    { initContainers: [{ name: "i", image: "init" }] },
    { annotations: { "mine.image-policy.k8s.io/ticket": "1", other: "2" } },
  );
  expect((await ground.admit({ resource: "pods", object })).refusal).toBeUndefined();
  expect(asked).toEqual([
    {
      kind: "ImageReview",
      apiVersion: "imagepolicy.k8s.io/v1alpha1",
      metadata: { creationTimestamp: null },
      spec: {
        containers: [{ image: "a" }, { image: "init" }],
        annotations: { "mine.image-policy.k8s.io/ticket": "1" },
        namespace: "ns",
      },
      status: { allowed: false },
    },
  ]);
});

test("of ephemeral containers it is told alone, of other subresources and kinds nothing", async () => {
  const { ground, asked } = groundOf(allowing);
  const object = podWith({ ephemeralContainers: [{ name: "e", image: "debug" }] });
  await ground.admit({ resource: "pods/ephemeralcontainers", object, old: podWith() });
  await ground.admit({ resource: "pods/status", object, old: podWith() });
  await ground.admit({ resource: "configmaps", object: { metadata: { name: "a" } } });
  expect(asked.map(({ spec }) => spec)).toEqual([{ containers: [{ image: "debug" }], namespace: "ns" }]);
});

test.each<[Answer | Error, object, string | undefined, object]>([
  [allowing, {}, undefined, {}],
  [
    { status: { allowed: true, auditAnnotations: { why: "known" } } },
    {},
    undefined,
    { "imagepolicywebhook.image-policy.k8s.io/why": "known" },
  ],
  [{ status: { allowed: false } }, {}, "one or more images rejected by webhook backend", {}],
  [
    { status: { allowed: false, reason: "too old" } },
    {},
    "image policy webhook backend denied one or more images: too old",
    {},
  ],
  [{}, {}, "one or more images rejected by webhook backend", {}],
  [new Error("away"), {}, "away", {}],
  [
    new Error("away"),
    { defaultAllow: true },
    undefined,
    { "imagepolicywebhook.image-policy.k8s.io/failed-open": "true" },
  ],
])("answer %j with %j: %s", async (answer, fields, refusal, annotations) => {
  const outcome = await groundOf(answer, fields).ground.admit({ resource: "pods", object: podWith() });
  expect(outcome.refusal).toBe(refusal && `pods "pod" is forbidden: ${refusal}`);
  expect(outcome.annotations).toEqual(annotations);
});

test("answers are kept for their times, failures not at all", async () => {
  const calls = async (answer: Answer | Error, fields: object, ...times: readonly number[]) => {
    const { ground, asked, failures } = groundOf(answer, fields);
    for (const time of times) {
      ground.now = time;
      await ground.admit({ resource: "pods", object: podWith() });
    }
    return [asked.length, failures.length];
  };
  expect(await calls(allowing, {}, 0, 299_999, 300_000)).toEqual([2, 0]);
  expect(await calls({ status: { allowed: false } }, {}, 0, 29_999, 30_000)).toEqual([2, 0]);
  expect(await calls(allowing, { allowTTL: 1 }, 0, 999, 1000)).toEqual([2, 0]);
  expect(await calls(allowing, { allowTTL: -1 }, 0, 0)).toEqual([2, 0]);
  expect(await calls(new Error("away"), {}, 0, 0)).toEqual([2, 2]);
});

describe("a wrong configuration", () => {
  test.each<[unknown, string]>([
    [undefined, "no config specified"],
    [{ imagePolicy: {} }, "imagePolicy.kubeConfigFile: must be the path of a file"],
    [
      configured({ allowTTL: 1801 }),
      "imagePolicy.allowTTL: allow cache: must be at least 1 and at most 1800, or -1 for none",
    ],
    [
      configured({ denyTTL: -2 }),
      "imagePolicy.denyTTL: deny cache: must be at least 1 and at most 1800, or -1 for none",
    ],
    [
      configured({ retryBackoff: 300_001 }),
      "imagePolicy.retryBackoff: backoff: must be at least 1 and at most 300000, or -1 for none",
    ],
    [configured({ defaultAllow: "yes" }), "imagePolicy.defaultAllow: must be true or false"],
    [configured({ defaultDeny: true }), "imagePolicy.defaultDeny: unknown field"],
  ])("%j: %s", (configuration, message) => {
    expect(() => new PluginGround(imagePolicyWebhook, { configuration })).toThrow(message);
  });
});
