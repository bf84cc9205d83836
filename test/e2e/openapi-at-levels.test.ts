import { expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { sharedGrounds } from "../support/shared-grounds.js";

// biome-ignore lint/suspicious/noExplicitAny: documents are looked at by tests, which know what they asked for
type Schemas = Record<string, any>;

const ground = sharedGrounds();

async function schemasOf(level: ApiLevel, path: string): Promise<Schemas> {
  const { api } = await ground(`--api-level=${level}`);
  const { status, body } = await api.get(`/openapi/v3/${path}`);
  expect(status).toBe(200);
  return body.components.schemas;
}

test.each<ApiLevel>(["1.25", "1.26", "1.36"])("at %s, structures begin empty", async (level) => {
  const schemas = await schemasOf(level, "api/v1");
  const { spec, metadata } = schemas["io.k8s.api.core.v1.Pod"].properties;
  expect([spec.default, metadata.default]).toEqual([{}, {}]);
  expect(spec.allOf).toEqual([{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodSpec" }]);
  // Not what is a pointer: it may be absent.
  const { securityContext } = schemas["io.k8s.api.core.v1.PodSpec"].properties;
  expect(securityContext.default).toBeUndefined();
  const { containers } = schemas["io.k8s.api.core.v1.PodSpec"].properties;
  expect(containers.items.default).toEqual({});
});

test.each<[ApiLevel, object | undefined]>([
  ["1.28", {}],
  ["1.29", undefined],
  ["1.36", undefined],
])("at %s, times begin as %j", async (level, standard) => {
  const schemas = await schemasOf(level, "apis/apps/v1");
  const { lastUpdateTime } = schemas["io.k8s.api.apps.v1.DeploymentCondition"].properties;
  expect(lastUpdateTime.default).toEqual(standard);
});

const v1 = "io.k8s.api";

/** What Kubernetes' published documents require, by level. */
test.each<[level: ApiLevel, path: string, type: string, required: readonly string[]]>([
  ["1.33", "apis/networking.k8s.io/v1", `${v1}.networking.v1.NetworkPolicySpec`, ["podSelector"]],
  ["1.34", "apis/networking.k8s.io/v1", `${v1}.networking.v1.NetworkPolicySpec`, []],
  ["1.36", "apis/networking.k8s.io/v1", `${v1}.networking.v1.NetworkPolicySpec`, []],
  ["1.33", "apis/networking.k8s.io/v1", `${v1}.networking.v1.ParentReference`, ["name", "resource"]],
  ["1.34", "api/v1", `${v1}.core.v1.ContainerRestartRule`, ["action"]],
  ["1.34", "apis/batch/v1", `${v1}.batch.v1.PodFailurePolicyOnPodConditionsPattern`, ["status", "type"]],
  ["1.35", "apis/batch/v1", `${v1}.batch.v1.PodFailurePolicyOnPodConditionsPattern`, ["type"]],
  ["1.35", "apis/batch/v1", `${v1}.batch.v1.CronJob`, []],
  ["1.36", "apis/batch/v1", `${v1}.batch.v1.CronJob`, ["spec"]],
  ["1.35", "apis/discovery.k8s.io/v1", `${v1}.discovery.v1.EndpointSlice`, ["addressType", "endpoints"]],
  ["1.36", "apis/discovery.k8s.io/v1", `${v1}.discovery.v1.EndpointSlice`, ["addressType"]],
  ["1.35", "apis/autoscaling/v2", `${v1}.autoscaling.v2.HorizontalPodAutoscaler`, []],
  ["1.36", "apis/autoscaling/v2", `${v1}.autoscaling.v2.HorizontalPodAutoscaler`, ["spec"]],
])("at %s, %s requires of %s: %j", async (level, path, type, required) => {
  const schemas = await schemasOf(level, path);
  expect((schemas[type].required ?? []).toSorted()).toEqual(required);
});
