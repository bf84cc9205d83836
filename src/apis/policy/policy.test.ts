import { describe, expect, test } from "vitest";
import { findErrors } from "../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { definitionAtLevel } from "../definition/definition-at-level.js";
import {
  convertFromHub,
  convertToHub,
  hubVersion,
  type ResourceDefinition,
} from "../definition/resource-definition.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { policyResources } from "./resources.js";

const context = testApiContext();
const write = testWriteContext();

type Json = { readonly [key: string]: unknown };

function definitionOf(resource: string): ResourceDefinition {
  const found = policyResources(context).find((definition) => definition.resource === resource);
  if (found === undefined) throw new Error(`no ${resource}`);
  return found;
}

function decoded(definition: ResourceDefinition, body: Json): ApiObject {
  const version = hubVersion(definition);
  const object = version.codec.fromJson(JSON.parse(JSON.stringify({ metadata: { name: "a" }, ...body })));
  version.setDefaults(object);
  return object;
}

function createErrors(resource: string, body: Json): string[] {
  const definition = definitionOf(resource);
  const object = decoded(definition, body);
  definition.strategy.prepareForCreate(write, object);
  return definition.strategy.validate(write, object).map(({ field, body: text }) => `${field}: ${text}`);
}

describe("disruption budgets", () => {
  test.each<[ApiLevel, string, string | undefined]>([
    ["1.23", "v1beta1", "v1beta1"],
    ["1.26", "v1", "v1beta1"],
    ["1.27", "v1", undefined],
  ])("at %s, are stored as %s, and say that it is %s", (level, version, hashedVersion) => {
    const [found] = policyResources(testApiContext({ level })).filter(
      ({ resource }) => resource === "poddisruptionbudgets",
    );
    if (found === undefined) throw new Error("no disruption budgets");
    const storage = definitionAtLevel(found, level)?.storage;
    expect([storage?.version, storage?.hashedVersion]).toEqual([version, hashedVersion]);
  });

  const definition = definitionOf("poddisruptionbudgets");

  test.each([
    [{}, []],
    [{ minAvailable: 1, selector: {} }, []],
    [{ maxUnavailable: "100%" }, []],
    [
      { minAvailable: 1, maxUnavailable: 1 },
      [
        "spec: Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0xc000000000), Selector:(*v1.LabelSelector)(nil), MaxUnavailable:(*intstr.IntOrString)(0xc000000000)}: minAvailable and maxUnavailable cannot be both set",
      ],
    ],
    [{ minAvailable: -1 }, ["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"]],
    [
      { maxUnavailable: "101%" },
      [
        'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
      ],
    ],
    [
      { maxUnavailable: "some" },
      [
        "spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:\"some\"}: a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      { selector: { matchExpressions: [{ key: "a", operator: "Other" }] } },
      ['spec.selector.matchExpressions[0].operator: Invalid value: "Other": not a valid selector operator'],
    ],
  ])("with %j", (spec, expected) => {
    expect(createErrors("poddisruptionbudgets", { spec })).toEqual(expected);
  });

  test("both counts are shown with all that the level knows", () => {
    const spec = { minAvailable: "50%", maxUnavailable: 1, selector: { matchLabels: { a: "b" } } };
    const object = decoded(definition, { spec });
    const shown = (level: ApiLevel, minor: number) => {
      const resource = policyResources(testApiContext({ level })).find(
        (found) => found.resource === "poddisruptionbudgets",
      );
      return findErrors(() => resource?.strategy.validate(write, object) ?? [], minor).errors[0]?.body;
    };
    expect(shown("1.26", 26)).toBe(
      "Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0xc000000000), Selector:(*v1.LabelSelector)(0xc000000000), MaxUnavailable:(*intstr.IntOrString)(0xc000000000), UnhealthyPodEvictionPolicy:(*policy.UnhealthyPodEvictionPolicyType)(nil)}: minAvailable and maxUnavailable cannot be both set",
    );
    expect(shown("1.36", 36)).toBe(
      'Invalid value: {"MinAvailable":"50%","Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    );
  });

  const key = `pdb.${context.naming.domain}/deprecated-v1beta1-empty-selector-match`;
  const exists = { matchExpressions: [{ key, operator: "Exists" }] };
  const missing = { matchExpressions: [{ key, operator: "DoesNotExist" }] };

  // Both versions select the same pods, and each form survives the round trip.
  test.each([
    { v1: {}, v1beta1: missing },
    { v1: exists, v1beta1: {} },
    { v1: undefined, v1beta1: undefined },
    { v1: { matchLabels: { a: "b" } }, v1beta1: { matchLabels: { a: "b" } } },
    { v1: { matchLabels: { a: "b" }, ...exists }, v1beta1: { matchLabels: { a: "b" }, ...exists } },
  ])("selectors of both versions: %j", ({ v1, v1beta1 }) => {
    const spoke = definition.versions.find(({ version }) => version === "v1beta1");
    if (spoke === undefined) throw new Error("no v1beta1");
    const toHub = (object: ApiObject) => convertToHub(spoke, object);
    const fromHub = (object: ReturnType<typeof toHub>) => convertFromHub(spoke, object);
    const specOf = (object: ApiObject, codec = spoke.codec) => JSON.parse(codec.toJson(object)).spec.selector;
    const hubCodec = hubVersion(definition).codec;
    const old = () => spoke.codec.fromJson(JSON.parse(JSON.stringify({ spec: { selector: v1beta1 } })));
    expect(specOf(toHub(old()), hubCodec)).toEqual(v1);
    expect(specOf(fromHub(toHub(old())))).toEqual(v1beta1);
    expect(specOf(fromHub(decoded(definition, { spec: { selector: v1 } })))).toEqual(v1beta1);
  });

  test.each([
    [
      "v1",
      { currentHealthy: -1 },
      ["status.currentHealthy: Invalid value: -1: must be greater than or equal to 0"],
    ],
    ["v1beta1", { currentHealthy: -1 }, []],
    [
      "v1beta1",
      { conditions: [{ type: "Ready", status: "Maybe", reason: "" }] },
      [
        'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
        "status.conditions[0].lastTransitionTime: Required value: must be set",
        "status.conditions[0].reason: Required value: must be set",
      ],
    ],
  ])("status by %s with %j", (version, status, expected) => {
    const part = definition.subresources.find((subresource) => subresource.name === "status");
    if (part?.kind !== "part") throw new Error("no status");
    const old = decoded(definition, {});
    const errors = part.strategy.validateUpdate({ ...write, version }, decoded(definition, { status }), old);
    expect(errors.map(({ field, body }) => `${field}: ${body}`)).toEqual(expected);
  });

  test("a row", () => {
    const metadata = { name: "a", creationTimestamp: "2022-01-01T00:00:00Z" };
    const object = decoded(definition, {
      metadata,
      spec: { minAvailable: "50%" },
      status: { disruptionsAllowed: 2 },
    });
    const now = new Date("2022-01-01T00:00:10Z");
    expect(definition.columns?.cells(object, now)).toEqual(["a", "50%", "N/A", 2, "10s"]);
  });

  test("updates need a resource version", () => {
    expect(definition.strategy.allowUnconditionalUpdate).toBe(false);
  });
});

describe("pod security policies", () => {
  const any = { rule: "RunAsAny" };
  const minimal = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any };

  test("the least of them is taken, and allows escalation", () => {
    expect(createErrors("podsecuritypolicies", { spec: minimal })).toEqual([]);
    const definition = definitionOf("podsecuritypolicies");
    const object = decoded(definition, { spec: minimal });
    expect(JSON.parse(hubVersion(definition).codec.toJson(object)).spec.allowPrivilegeEscalation).toBe(true);
  });

  test("no rules at all", () => {
    expect(createErrors("podsecuritypolicies", { spec: {} })).toEqual([
      'spec.runAsUser.rule: Unsupported value: "": supported values: "MustRunAs", "MustRunAsNonRoot", "RunAsAny"',
      'spec.seLinux.rule: Unsupported value: "": supported values: "MustRunAs", "RunAsAny"',
      'spec.supplementalGroups.rule: Unsupported value: "": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
      'spec.fsGroup.rule: Unsupported value: "": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
    ]);
  });

  test.each([
    [
      { runAsUser: { rule: "MustRunAs", ranges: [{ min: 5, max: 1 }] } },
      "spec.runAsUser.ranges[0].min: Invalid value: 5: min cannot be greater than max",
    ],
    [
      { runAsGroup: { rule: "MustRunAs" } },
      "spec.runAsGroup.ranges: Invalid value: []policy.IDRange(nil): must provide at least one range",
    ],
    [
      { requiredDropCapabilities: ["A"], allowedCapabilities: ["*"] },
      'requiredDropCapabilities: Invalid value: []core.Capability{"A"}: must be empty when all capabilities are allowed by a wildcard',
    ],
    [
      { requiredDropCapabilities: ["A"], defaultAddCapabilities: ["A"] },
      'defaultAddCapabilities: Invalid value: "A": capability is listed in defaultAddCapabilities and requiredDropCapabilities',
    ],
    [
      { allowPrivilegeEscalation: false, defaultAllowPrivilegeEscalation: true },
      "spec.defaultAllowPrivilegeEscalation: Invalid value: true: Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true",
    ],
    [
      { allowedHostPaths: [{ pathPrefix: "/a/../b" }] },
      `spec.allowedHostPaths[0]: Invalid value: "/a/../b": must not contain '..'`,
    ],
    [{ allowedHostPaths: [{}] }, "spec.allowedHostPaths[0]: Required value: is required"],
    [
      { allowedFlexVolumes: [{ driver: "" }] },
      "spec.allowedFlexVolumes.allowedFlexVolumes[0].driver: Required value: must specify a driver",
    ],
    [
      { allowedUnsafeSysctls: ["*", "a"] },
      "spec.allowedUnsafeSysctls.items: Forbidden: if '*' is present, must not specify other sysctls",
    ],
    [
      { allowedUnsafeSysctls: ["net.ipv4.x"], forbiddenSysctls: ["net.*"] },
      'spec.allowedUnsafeSysctls[0]: Invalid value: "net.ipv4.x": sysctl overlaps with net.*',
    ],
    [
      { allowedUnsafeSysctls: ["net.*"], forbiddenSysctls: ["net.ipv4.*"] },
      'spec.forbiddenSysctls[0]: Invalid value: "net.ipv4.*": sysctl overlaps with net.*',
    ],
    [
      { runtimeClass: { allowedRuntimeClassNames: ["a"], defaultRuntimeClassName: "b" } },
      'spec.runtimeClass.allowedRuntimeClassNames: Required value: default "b" must be allowed',
    ],
    [
      { runtimeClass: { allowedRuntimeClassNames: ["a", "a"] } },
      'spec.runtimeClass.allowedRuntimeClassNames[1]: Duplicate value: "a"',
    ],
  ])("with %j are refused", (changes, message) => {
    expect(createErrors("podsecuritypolicies", { spec: { ...minimal, ...changes } })).toContain(message);
  });

  test("annotations name profiles that there can be", () => {
    const key = `seccomp.security.alpha.${context.naming.domain}/allowedProfileNames`;
    const metadata = { name: "a", annotations: { [key]: "*,runtime/default,other" } };
    expect(createErrors("podsecuritypolicies", { metadata, spec: minimal })).toEqual([
      `metadata.annotations[${key}]: Invalid value: "other": must be a valid seccomp profile`,
    ]);
  });

  test("a row", () => {
    const definition = definitionOf("podsecuritypolicies");
    const spec = { ...minimal, volumes: ["secret", "csi"], allowedCapabilities: ["A"] };
    expect(definition.columns?.cells(decoded(definition, { spec }), new Date(0))).toEqual([
      "a",
      "false",
      "A",
      "RunAsAny",
      "RunAsAny",
      "RunAsAny",
      "RunAsAny",
      false,
      "secret,csi",
    ]);
  });
});
