import { expect, test } from "vitest";
import type { JsonObject } from "../apimachinery/json/json-value.js";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import { webhookConfigurations } from "./admissionregistration/webhook-configuration.js";
import { daemonSets } from "./apps/daemon-set/resource.js";
import { deployments } from "./apps/deployment/resource.js";
import { jobs } from "./batch/job/resource.js";
import { pods } from "./core/pod/resource.js";
import type { ApiContext } from "./definition/api-context.js";
import type { ResourceDefinition } from "./definition/resource-definition.js";
import type { ValidatingWebhookConfiguration } from "./gen/admissionregistration-v1.js";
import { podDisruptionBudgets } from "./policy/pod-disruption-budget/resource.js";
import { clusterRoles } from "./rbac/cluster-role/resource.js";
import { csiStorageCapacities } from "./storage/csi-storage-capacity/resource.js";
import { testApiContext } from "./testing/api-context.js";
import { kindUnderTest } from "./testing/kind-under-test.js";

const metadata = { name: "a", namespace: "ns", uid: "u" };
const selector = { matchExpressions: [{ key: "a", operator: "NotIn", values: ["-"] }] };
const containers = [{ name: "c", image: "i" }];
const template = (restartPolicy: string) => ({
  metadata: { labels: { a: "b" } },
  spec: { containers, restartPolicy },
});
const term = { labelSelector: selector, topologyKey: "k" };
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://example.com" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  objectSelector: selector,
};

const validatingWebhooks = (context: ApiContext) =>
  webhookConfigurations<ValidatingWebhookConfiguration>(context, "ValidatingWebhookConfiguration");

test.each<[string, (context: ApiContext) => ResourceDefinition, JsonObject, string]>([
  ["a deployment", deployments, { spec: { selector, template: template("Always") } }, "spec.selector"],
  ["a daemon set", daemonSets, { spec: { selector, template: template("Always") } }, "spec.selector"],
  ["a job", jobs, { spec: { selector, manualSelector: true, template: template("Never") } }, "spec.selector"],
  [
    "a pod",
    pods,
    {
      spec: {
        containers,
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
      },
    },
    "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector",
  ],
  ["a disruption budget", podDisruptionBudgets, { spec: { selector } }, "spec.selector"],
  [
    "a storage capacity",
    csiStorageCapacities,
    { storageClassName: "s", nodeTopology: selector },
    "nodeTopology",
  ],
  [
    "a cluster role",
    clusterRoles,
    { rules: [], aggregationRule: { clusterRoleSelectors: [selector] } },
    "aggregationRule.clusterRoleSelectors[0]",
  ],
  ["a webhook", validatingWebhooks, { webhooks: [webhook] }, "webhooks[0].objectSelector"],
])("%s selects values that a label can have, since 1.26", (_what, define, parts, path) => {
  const at = (level: ApiLevel) => kindUnderTest(define(testApiContext({ level })));
  const object = { metadata, ...parts };
  const refusal = expect.stringContaining(`${path}.matchExpressions[0].values[0]: Invalid value: "-"`);
  expect(at("1.25").create(object).errors).not.toContainEqual(refusal);
  expect(at("1.26").create(object).errors).toContainEqual(refusal);
  expect(at("1.35").create(object).errors).toContainEqual(refusal);
});

test.each<[string, (context: ApiContext) => ResourceDefinition, JsonObject]>([
  ["a daemon set", daemonSets, { spec: { selector, template: template("Always") } }],
  ["a disruption budget", podDisruptionBudgets, { spec: { selector } }],
  ["a webhook", validatingWebhooks, { webhooks: [webhook] }],
])("an update of %s may keep other values", (_what, define, parts) => {
  const object = { metadata, ...parts };
  expect(kindUnderTest(define(testApiContext({ level: "1.35" }))).update(object, object).errors).toEqual([]);
});

test("an update of a cluster role may not: its selectors are read as those of lists are", () => {
  const object = { metadata, rules: [], aggregationRule: { clusterRoleSelectors: [selector] } };
  expect(
    kindUnderTest(clusterRoles(testApiContext({ level: "1.35" }))).update(object, object).errors,
  ).toEqual(['aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.']);
});
