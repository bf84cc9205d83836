import { expect, test } from "vitest";
import { messageOf } from "../apimachinery/errors/message-of.js";
import type { JsonValue } from "../apimachinery/json/json-value.js";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { typePackages } from "./type-packages.js";

const levels = ["1.23", "1.34", "1.35", "1.36"] as const;
const registries = new Map<ApiLevel, SchemaRegistry>(
  [...levels, "1.26" as const, "1.27" as const].map((level) => [
    level,
    new SchemaRegistry(typePackages, { level }),
  ]),
);

function problem(level: ApiLevel, type: string, value: JsonValue): string {
  try {
    registries.get(level)?.codec(type).fromJson(value);
    return "";
  } catch (error) {
    return messageOf(error).replace("json: cannot unmarshal ", "");
  }
}

const volume = { volumes: [{ name: "v", emptyDir: [] }] };
const webhook = { webhooks: [{ rules: [{ operations: ["CREATE"], apiGroups: 5 }] }] };
const schema = {
  properties: { a: { items: { properties: { b: { additionalProperties: { format: 5 } } } } } },
};

test.each<[type: string, value: JsonValue, error: string]>([
  ["admissionregistration/v1.ValidatingWebhook", { matchPolicy: 5 }, "v1.MatchPolicyType"],
  ["admissionregistration/v1.ParamRef", { parameterNotFoundAction: 5 }, "v1.ParameterNotFoundActionType"],
  ["admissionregistration/v1alpha1.Validation", { reason: 5 }, "v1.StatusReason"],
  ["batch/v1.JobSpec", { podReplacementPolicy: 5 }, "v1.PodReplacementPolicy"],
  ["batch/v1.PodFailurePolicyOnPodConditionsPattern", { type: 5 }, "v1.PodConditionType"],
  ["core/v1.Lifecycle", { stopSignal: 5 }, "v1.Signal"],
  ["core/v1.ContainerResizePolicy", { resourceName: 5 }, "v1.ResourceName"],
  ["core/v1.VolumeResourceRequirements", { limits: 5 }, "v1.ResourceList"],
  ["core/v1.TopologySpreadConstraint", { nodeTaintsPolicy: 5 }, "v1.NodeInclusionPolicy"],
  ["coordination/v1.LeaseSpec", { strategy: 5 }, "v1.CoordinatedLeaseStrategy"],
  ["networking/v1.IngressPortStatus", { protocol: 5 }, "v1.Protocol"],
  [
    "policy/v1.PodDisruptionBudgetSpec",
    { unhealthyPodEvictionPolicy: 5 },
    "v1.UnhealthyPodEvictionPolicyType",
  ],
])("errors of decoding %s with %j name the type of the field", (type, value, name) => {
  expect(problem("1.35", type, value)).toMatch(
    new RegExp(`^number into Go struct field .* of type ${name}$`),
  );
});

test("errors of decoding name a type as its level does", () => {
  const [first, second] = levels.map((level) => problem(level, "core/v1.ServiceSpec", { ipFamilyPolicy: 5 }));
  expect(first).toMatch(/of type v1\.IPFamilyPolicyType$/);
  expect(second).toMatch(/of type v1\.IPFamilyPolicy$/);
  for (const scope of ["internal", "external"]) {
    const field = `${scope}TrafficPolicy`;
    const type = `v1\\.Service${scope === "internal" ? "Internal" : "External"}TrafficPolicy`;
    const [at126, at127] = (["1.26", "1.27"] as const).map((level) =>
      problem(level, "core/v1.ServiceSpec", { [field]: 5 }),
    );
    expect(at126).toMatch(new RegExp(`of type ${type}Type$`));
    expect(at127).toMatch(new RegExp(`of type ${type}$`));
  }
});

test.each<[what: string, type: string, value: JsonValue, before: string, since: string]>([
  [
    "an embedded type",
    "core/v1.PodSpec",
    volume,
    "array into Go struct field Volume.volumes.emptyDir of type v1.EmptyDirVolumeSource",
    "array into Go struct field Volume.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource",
  ],
  [
    "what is below an embedded type",
    "core/v1.PodSpec",
    { containers: [{ livenessProbe: { httpGet: { path: 5 } } }] },
    "number into Go struct field HTTPGetAction.containers.livenessProbe.httpGet.path of type string",
    "number into Go struct field HTTPGetAction.containers.livenessProbe.ProbeHandler.httpGet.path of type string",
  ],
  [
    "an embedded type in an embedded type",
    "admissionregistration/v1.ValidatingWebhookConfiguration",
    webhook,
    "number into Go struct field RuleWithOperations.webhooks.rules.apiGroups of type []string",
    "number into Go struct field RuleWithOperations.webhooks.rules.Rule.apiGroups of type []string",
  ],
  [
    "a field beside an embedded type, after one in it",
    "core/v1.PodSpec",
    { volumes: [{ emptyDir: {}, name: 5 }] },
    "number into Go struct field Volume.volumes.name of type string",
    "number into Go struct field Volume.volumes.name of type string",
  ],
  [
    "fields within a JSON schema",
    "apiextensions/v1.CustomResourceValidation",
    { openAPIV3Schema: schema },
    "number into Go struct field JSONSchemaProps.openAPIV3Schema.properties.items of type string",
    "number into Go struct field JSONSchemaProps.openAPIV3Schema.properties.items.properties.additionalProperties.format of type string",
  ],
])("errors of decoding name %s since 1.35", (_what, type, value, before, since) => {
  expect(levels.map((level) => problem(level, type, value))).toEqual([before, before, since, since]);
});
