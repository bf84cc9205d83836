import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { Pod } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { pods } from "./resource.js";
import { gracefulDeletion, podStrategies } from "./strategy.js";

const context = testApiContext();
const write = testWriteContext();
const strategies = podStrategies(context);

function withStatus(pod: Pod, status: Partial<Pod["status"]>): Pod {
  pod.status = status;
  return pod;
}

test("a new pod is pending, whatever status it is sent with", () => {
  const pod = withStatus(testPod(context), { phase: "Running", podIP: "1.1.1.1" });
  pod.spec.serviceAccountName = "set-by-admission";
  strategies.main.prepareForCreate(write, pod);
  expect(pod.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
  expect(pod.spec.serviceAccount).toBe("set-by-admission");
  expect(pod.metadata.generation).toBeUndefined();
  expect(strategies.main.validate(write, pod)).toEqual([]);
});

describe("seccomp profiles of a new pod", () => {
  const podKey = "seccomp.security.alpha.kubernetes.io/pod";
  const appKey = "container.seccomp.security.alpha.kubernetes.io/app";
  const app = (seccompProfile: JsonObject): JsonObject => ({
    containers: [{ name: "app", image: "app", securityContext: { seccompProfile } }],
  });

  test.each<[JsonObject, string, string]>([
    [{ securityContext: { seccompProfile: { type: "Unconfined" } } }, podKey, "unconfined"],
    [app({ type: "RuntimeDefault" }), appKey, "runtime/default"],
    [app({ type: "Localhost", localhostProfile: "a" }), appKey, "localhost/a"],
  ])("the field of %j becomes the annotation %s", (spec, key, text) => {
    const pod = testPod(context, spec);
    strategies.main.prepareForCreate(write, pod);
    expect(pod.metadata.annotations).toEqual({ [key]: text });
  });

  test("annotations become fields, and leave those that are there alone", () => {
    const annotations = { [podKey]: "docker/default", [appKey]: "localhost/b" };
    const pod = testPod(context, app({ type: "Localhost", localhostProfile: "a" }), { annotations });
    strategies.main.prepareForCreate(write, pod);
    expect(pod.spec.securityContext?.seccompProfile).toEqual({ type: "RuntimeDefault" });
    expect(pod.spec.containers?.[0]?.securityContext?.seccompProfile?.localhostProfile).toBe("a");
    expect(errorTexts(strategies.main.validate(write, pod))).toEqual([
      "spec.containers[0].securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match",
    ]);
  });
});

test("an update of the pod keeps the status, one of the status keeps the rest", () => {
  const old = withStatus(testPod(context, { nodeName: "n" }, { labels: { a: "1" } }), { phase: "Running" });
  old.metadata.ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u" }];
  const pod = withStatus(testPod(context, {}, { labels: { a: "2" } }), { phase: "Failed" });
  strategies.main.prepareForUpdate(write, pod, old);
  expect(pod.status.phase).toBe("Running");

  const reported = withStatus(testPod(context, { nodeName: "other" }), { phase: "Failed" });
  reported.metadata.deletionTimestamp = "2022-01-01T00:00:00Z";
  strategies.status.prepareForUpdate(write, reported, old);
  expect(reported.spec.nodeName).toBe("n");
  expect(reported.status.phase).toBe("Failed");
  expect(reported.metadata.deletionTimestamp).toBeUndefined();
  expect(reported.metadata.ownerReferences).toBe(old.metadata.ownerReferences);
});

test("the ephemeralcontainers subresource changes nothing else", () => {
  const old = withStatus(testPod(context, {}, { labels: { a: "1" } }), { phase: "Running" });
  const pod = testPod(
    context,
    { hostname: "changed", ephemeralContainers: [{ name: "debug", image: "debug" }] },
    { labels: { a: "2" }, resourceVersion: "5" },
  );
  strategies.ephemeralContainers.prepareForUpdate(write, pod, old);
  expect(pod.metadata.labels).toEqual({ a: "1" });
  expect(pod.metadata.resourceVersion).toBe("5");
  expect(pod.spec.hostname).toBeUndefined();
  expect(pod.status.phase).toBe("Running");
  expect(pod.spec.ephemeralContainers?.map(({ name }) => name)).toEqual(["debug"]);
  expect(strategies.ephemeralContainers.validateUpdate(write, pod, old)).toEqual([]);

  const without = testPod(context);
  expect(errorTexts(strategies.ephemeralContainers.validateUpdate(write, without, pod))).toEqual([
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  ]);
  const changed = testPod(context, { ephemeralContainers: [{ name: "debug", image: "other" }] });
  expect(errorTexts(strategies.ephemeralContainers.validateUpdate(write, changed, pod))).toEqual([
    expect.stringMatching(
      /^spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n\s*\{\n- \timage: "debug"\n\+ \timage: "other"/,
    ),
  ]);
});

test.each([
  [{ nodeName: "n" }, "Running", undefined, 30],
  [{ nodeName: "n", terminationGracePeriodSeconds: 5 }, "Running", undefined, 5],
  [{ nodeName: "n", terminationGracePeriodSeconds: -5 }, "Running", undefined, 1],
  [{ nodeName: "n" }, "Running", 7, 7],
  [{ nodeName: "n" }, "Running", 0, 0],
  [{ nodeName: "n" }, "Succeeded", 7, 0],
  [{ nodeName: "n" }, "Failed", undefined, 0],
  [{}, "Pending", 7, 0],
])(
  "a delete of a pod with %j in phase %s, asked for %s s, waits %i s",
  (spec, phase, requested, expected) => {
    const pod = withStatus(testPod(context, spec), { phase });
    expect(gracefulDeletion(pod, requested)).toEqual({ gracePeriodSeconds: expected });
  },
);

test("fields that pods can be selected by", () => {
  const { selectableFields } = pods(context);
  const pod = withStatus(testPod(context, { nodeName: "n", serviceAccount: "sa" }), {
    phase: "Running",
    podIP: "1.1.1.1",
    podIPs: [{ ip: "1.1.1.1" }],
    nominatedNodeName: "m",
  });
  const values = selectableFields.values(pod);
  expect(values).toEqual({
    "spec.host": "n",
    "spec.nodeName": "n",
    "spec.restartPolicy": "Always",
    "spec.schedulerName": "default-scheduler",
    "spec.serviceAccountName": "sa",
    "status.nominatedNodeName": "m",
    "status.phase": "Running",
    "status.podIP": "1.1.1.1",
    "status.podIPs": "",
  });
  expect(Object.keys(values).sort()).toEqual([...selectableFields.names].sort());
});
