import { expect, test } from "vitest";
import type { Job } from "../gen/batch-v1.js";
import type { PersistentVolumeSpec, PodSpec } from "../gen/core-v1.js";
import type { ResourceClaimTemplateSpec } from "../gen/resource-v1.js";
import { testApiContext } from "../testing/api-context.js";
import { internalLines, printInternal, printInternalList } from "./internal-form.js";

const { schemas } = testApiContext({ level: "1.35" });

/** The names of an object's members, in order. */
const namesIn = (text: string | undefined): readonly string[] => Object.keys(JSON.parse(text ?? ""));

const pod: PodSpec = {
  containers: [{ name: "c", image: "i<", resources: { limits: { memory: "1Gi", cpu: "1" } } }],
  hostNetwork: true,
  hostUsers: false,
  securityContext: { runAsUser: 2n ** 60n },
  priority: 5,
};

test("members have the names and the order of Go, and absent ones are shown", () => {
  expect(internalLines(schemas, "core/v1.ContainerPort", { containerPort: 80 })).toEqual([
    "{",
    ' "Name": "",',
    ' "HostPort": 0,',
    ' "ContainerPort": 80,',
    ' "Protocol": "",',
    ' "HostIP": ""',
    "}",
  ]);
  const { json } = printInternal(schemas, "core/v1.PodSpec", pod);
  const names = namesIn(json);
  expect(names).not.toContain("HostNetwork");
  expect(names.slice(names.indexOf("Subdomain"))).toEqual([
    "Subdomain",
    "SetHostnameAsFQDN",
    "Affinity",
    "SchedulerName",
    "Tolerations",
    "HostAliases",
    "PriorityClassName",
    "Priority",
    "PreemptionPolicy",
    "DNSConfig",
    "ReadinessGates",
    "RuntimeClassName",
    "Overhead",
    "EnableServiceLinks",
    "TopologySpreadConstraints",
    "OS",
    "SchedulingGates",
    "ResourceClaims",
    "Resources",
    "HostnameOverride",
    "WorkloadRef",
  ]);
});

test("a pod shares namespaces of its host by its security context", () => {
  const lines = internalLines(schemas, "core/v1.PodSpec", pod);
  const at = lines.indexOf(' "SecurityContext": {');
  expect(lines.slice(at, at + 11)).toEqual([
    ' "SecurityContext": {',
    '  "HostNetwork": true,',
    '  "HostPID": false,',
    '  "HostIPC": false,',
    '  "ShareProcessNamespace": null,',
    '  "HostUsers": false,',
    '  "SELinuxOptions": null,',
    '  "WindowsOptions": null,',
    '  "RunAsUser": 1152921504606846976,',
    '  "RunAsGroup": null,',
    '  "RunAsNonRoot": null,',
  ]);
  expect(lines).toContain('   "Image": "i\\u003c",');
  expect(lines[lines.indexOf('    "Limits": {') + 1]).toBe('     "cpu": "1",');
});

test("metadata within an object is part of it, and types without an internal form are as they are", () => {
  const spec: ResourceClaimTemplateSpec = {
    metadata: { annotations: { c: "3" }, labels: { b: "1", a: "2" } },
    spec: { devices: {} },
  };
  expect(printInternal(schemas, "resource/v1.ResourceClaimTemplateSpec", spec).json).toBe(
    '{"labels":{"a":"2","b":"1"},"annotations":{"c":"3"},"Spec":{"Devices":{"Requests":null,"Constraints":null,"Config":null}}}',
  );
  const term = { topologyKey: "k", labelSelector: { matchLabels: { app: "a" } } };
  expect(printInternal(schemas, "core/v1.PodAffinityTerm", term).json).toBe(
    '{"LabelSelector":{"matchLabels":{"app":"a"}},"Namespaces":null,"TopologyKey":"k","NamespaceSelector":null,"MatchLabelKeys":null,"MismatchLabelKeys":null}',
  );
});

test("sources of volumes have names of their own", () => {
  const spec: PersistentVolumeSpec = { rbd: { monitors: ["m"], image: "i" } };
  const { json } = printInternal(schemas, "core/v1.PersistentVolumeSpec", spec);
  expect(json).toContain(
    '"RBD":{"CephMonitors":["m"],"RBDImage":"i","FSType":"","RBDPool":"","RadosUser":""',
  );
  const names = namesIn(json);
  expect(names.slice(names.indexOf("RBD"), names.indexOf("FC"))).toEqual([
    "RBD",
    "Quobyte",
    "ISCSI",
    "FlexVolume",
    "Cinder",
    "CephFS",
  ]);
});

test("absent values are null, and levels before show others", () => {
  const absent = printInternal<NonNullable<Job["spec"]["successPolicy"]>>(
    schemas,
    "batch/v1.SuccessPolicy",
    undefined,
  );
  expect([absent.json, absent.text]).toEqual(["null", '"null"']);
  const rule = { succeededCount: 1 };
  const printed = printInternal(schemas, "batch/v1.SuccessPolicyRule", rule, "earlier");
  expect([printed.json, printed.text]).toEqual(['{"SucceededIndexes":null,"SucceededCount":1}', "earlier"]);
});

test("items of lists have that form, too", () => {
  const terms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] }];
  const listOf = (values: typeof terms | undefined) =>
    printInternalList(schemas, "core/v1.NodeSelectorTerm", values).json;
  expect(listOf(terms)).toBe(
    '[{"MatchExpressions":null,"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["n"]}]}]',
  );
  expect(listOf(undefined)).toBe("null");
});
