import { expect, test } from "vitest";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { batchV1Types } from "../batch/v1/types.js";
import { coreV1Types } from "../core/v1/types.js";
import type { JobSpec } from "../gen/batch-v1.js";
import type { Event, PodSpec, ServiceSpec, Toleration } from "../gen/core-v1.js";
import { errorTexts } from "../testing/kind-under-test.js";
import { typePackages } from "../type-packages.js";
import { fieldRules } from "./field-rules.js";

const path = FieldPath.of("spec");

test("a required value must be set, and where absent is told apart an empty one is a value", () => {
  const rules = fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec");
  const check = (spec: ServiceSpec, field: "type" | "internalTrafficPolicy") =>
    errorTexts(rules.check(spec, path, field));
  expect(check({}, "type")).toEqual(["spec.type: Required value"]);
  expect(check({ type: "" }, "type")).toEqual(["spec.type: Required value"]);
  expect(check({}, "internalTrafficPolicy")).toEqual(["spec.internalTrafficPolicy: Required value"]);
  expect(check({ internalTrafficPolicy: "" }, "internalTrafficPolicy")).toEqual([
    'spec.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"',
  ]);
});

test("supported values are those of the enumeration in alphabetical order, unless they are declared", () => {
  const rules = fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec");
  expect(rules.supported("type")).toEqual(["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
  expect(errorTexts(rules.check({ type: "Other" }, path, "type"))).toEqual([
    'spec.type: Unsupported value: "Other": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ]);
  expect(errorTexts(rules.check({ ipFamilies: ["IPv4", "IPv5"] }, path, "ipFamilies"))).toEqual([
    'spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
  ]);
  expect(fieldRules<PodSpec>(coreV1Types, "PodSpec").supported("dnsPolicy")).toEqual([
    "ClusterFirstWithHostNet",
    "ClusterFirst",
    "Default",
    "None",
  ]);
});

test("ranges are checked field by field, in the order asked for", () => {
  const job = fieldRules<JobSpec>(batchV1Types, "JobSpec");
  const spec = { template: { metadata: {}, spec: {} }, parallelism: -1, completions: -2 } as JobSpec;
  expect(errorTexts(job.check(spec, path, "completions", "parallelism", "backoffLimit"))).toEqual([
    "spec.completions: Invalid value: -2: must be greater than or equal to 0",
    "spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
  ]);
  const pod = fieldRules<PodSpec>(coreV1Types, "PodSpec");
  expect(errorTexts(pod.checkValue("activeDeadlineSeconds", 0, FieldPath.of("deadline")))).toEqual([
    "deadline: Invalid value: 0: must be between 1 and 2147483647, inclusive",
  ]);
});

test("an immutable field may not change, and another is not taken for one", () => {
  const rules = fieldRules<JobSpec>(batchV1Types, "JobSpec");
  const [spec, old] = [{ completions: 2 } as JobSpec, { completions: 1 } as JobSpec];
  expect(errorTexts(rules.unchanged(spec, old, path, "completions"))).toEqual([
    "spec.completions: Invalid value: 2: field is immutable",
  ]);
  expect(rules.unchanged(old, old, path, "completions")).toEqual([]);
  expect(() => rules.unchanged(spec, old, path, "parallelism")).toThrow("not declared as immutable");
});

test("a changed value is reported under another path, and printed, where errors do", () => {
  const rules = fieldRules<Event>(coreV1Types, "Event");
  const at = FieldPath.of("reportingController");
  const print = (value: string) => value.toUpperCase();
  expect(errorTexts(rules.unchangedValue("reportingComponent", "b", "a", at, print))).toEqual([
    'reportingController: Invalid value: "B": field is immutable',
  ]);
  expect(rules.unchangedValue("reportingComponent", "a", "a", at, print)).toEqual([]);
  expect(() => rules.unchangedValue("metadata", {}, {}, at)).toThrow("not declared as immutable");
});

test("rules that levels change are those of a level, and none without one", () => {
  const rules = fieldRules<Toleration>(coreV1Types, "Toleration");
  expect(rules.at("1.34").supported("operator")).toEqual(["Equal", "Exists"]);
  expect(errorTexts(rules.at("1.34").check({ operator: "Lt" }, path, "operator"))).toEqual([
    'spec.operator: Unsupported value: "Lt": supported values: "Equal", "Exists"',
  ]);
  expect(rules.at("1.35").check({ operator: "Lt" }, path, "operator")).toEqual([]);
  expect(rules.at("1.35")).toBe(rules.at("1.34").at("1.35"));
  expect(() => rules.check({}, path, "operator")).toThrow("core/v1.Toleration.operator depend on the level");
  // Changes that make no difference to values do not ask for a level.
  expect(fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec").supported("externalTrafficPolicy")).toEqual([
    "Cluster",
    "Local",
  ]);
});

test("rules fit the fields that they are declared of", () => {
  const wrong = typePackages.flatMap(({ name, declare }) =>
    Object.entries(declare()).flatMap(([type, { fields }]) =>
      Object.entries(fields).flatMap(([field, { rules = {}, type: of, list }]) => {
        const isNumber = ["int32", "int64"].includes(of) && !list;
        const misfits = [
          (rules.min !== undefined || rules.max !== undefined) && !isNumber,
          rules.max !== undefined && rules.min === undefined,
          rules.max === undefined && (rules.min ?? 0) > 1,
          rules.supported !== undefined && of !== "string",
          rules.maxItems !== undefined && !list,
        ];
        return misfits.includes(true) ? [`${name}.${type}.${field}`] : [];
      }),
    ),
  );
  expect(wrong).toEqual([]);
});

test("a type or a field that there is not is refused", () => {
  const none = fieldRules<{ nothing?: string }>(coreV1Types, "Nothing");
  expect(() => none.supported("nothing")).toThrow("no type is named core/v1.Nothing");
  const rules = fieldRules<{ nothing?: string }>(coreV1Types, "PodSpec");
  expect(() => rules.supported("nothing")).toThrow("core/v1.PodSpec has no field nothing");
});
