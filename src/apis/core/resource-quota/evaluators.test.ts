import { expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { Pod, PodStatus, ResourceRequirements } from "../../gen/core-v1.js";
import { testApiContext } from "../../testing/api-context.js";
import { noDevices } from "../../testing/no-devices.js";
import { testPod } from "../../testing/pod-fixture.js";
import { QuotaEvaluators } from "./evaluators.js";

function usageAt(level: ApiLevel, resource: string, object: ApiObject): Record<string, string> {
  const evaluator = new QuotaEvaluators(testApiContext({ level }), noDevices).of({ group: "", resource });
  const usage = evaluator?.measure(object, 0).usage ?? new Map();
  return Object.fromEntries([...usage].map(([name, amount]) => [name, `${amount}`]));
}

function resized(status: Partial<PodStatus>): Pod {
  const container = (name: string) => ({ name, image: "i", resources: { requests: { cpu: "100m" } } });
  const pod = testPod(testApiContext({ level: "1.36" }), {
    containers: [container("a"), container("b")],
    initContainers: [{ ...container("s"), restartPolicy: "Always" }],
  });
  pod.status = { phase: "Running", ...status };
  return pod;
}

const statusOf = (name: string, resources: ResourceRequirements, cpu?: string) => ({
  name,
  state: {},
  lastState: {},
  ready: true,
  restartCount: 0,
  image: "",
  imageID: "",
  resources,
  ...(cpu !== undefined && { allocatedResources: { cpu } }),
});

test("a pod counts for what its containers have while it is resized, since 1.33", () => {
  const pod = resized({
    containerStatuses: [
      statusOf("a", { requests: { cpu: "150m" }, limits: { cpu: "2", memory: "1Gi" } }),
      statusOf("b", { requests: { cpu: "50m" } }, "60m"),
    ],
    initContainerStatuses: [statusOf("s", {}, "300m")],
  });
  expect(usageAt("1.33", "pods", pod)).toMatchObject({
    "requests.cpu": "550m",
    "limits.cpu": "2",
    "limits.memory": "1Gi",
  });
  expect(usageAt("1.32", "pods", pod)).toMatchObject({ "requests.cpu": "300m" });
});

test("a resize that cannot be done does not count", () => {
  const containerStatuses = [statusOf("a", { requests: { cpu: "50m" } }, "60m")];
  const conditions = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
  expect(usageAt("1.33", "pods", resized({ containerStatuses, conditions }))["requests.cpu"]).toBe("260m");
});

test("the overhead of a pod is a limit only beside one, since 1.27", () => {
  const pod = testPod(testApiContext(), {
    containers: [{ name: "a", image: "i", resources: { limits: { cpu: "1" }, requests: { cpu: "1" } } }],
    overhead: { cpu: "1", memory: "1Mi" },
  });
  expect(usageAt("1.27", "pods", pod)).toMatchObject({ "requests.memory": "1Mi", "limits.cpu": "2" });
  expect(usageAt("1.27", "pods", pod)).not.toHaveProperty(["limits.memory"]);
  expect(usageAt("1.26", "pods", pod)).toHaveProperty(["limits.memory"], "1Mi");
});

test("claims count for whole bytes", () => {
  const claim = {
    metadata: { name: "c" },
    spec: { storageClassName: "gold", resources: { requests: { storage: "1001m" } } },
  };
  expect(usageAt("1.23", "persistentvolumeclaims", claim)).toMatchObject({
    "requests.storage": "2",
    "gold.storageclass.storage.k8s.io/requests.storage": "2",
  });
});
