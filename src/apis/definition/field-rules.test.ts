import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import type { TypePackage } from "../../apimachinery/schema/declaration.js";
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

const shapes: TypePackage = {
  name: "shapes/v1",
  declare: () => ({
    Shape: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true, maxBytes: 70, format: "dnsLabel" } },
        nick: { number: 2, type: "string", optional: true, rules: { format: "dnsLabel" } },
        label: { number: 3, type: "string", pointer: true, optional: true, rules: { format: "dnsLabel" } },
        weight: {
          number: 4,
          type: "int32",
          rules: { min: 1, max: 100, range: "must be in the range 1-100" },
        },
        port: { number: 5, type: "int32", optional: true, rules: { min: 1, max: 65535 } },
        delay: {
          number: 10,
          type: "int32",
          optional: true,
          rules: { min: 0, max: 60, range: { below: "too early", above: "too late" } },
        },
        groups: { number: 6, type: "int64", list: true, rules: { min: 0, max: 9 } },
        keys: {
          number: 7,
          type: "string",
          list: true,
          rules: { maxItems: 3, format: "qualifiedName", unique: true },
        },
        size: { number: 8, type: "Quantity", pointer: true, rules: { min: 0 } },
        kind: { number: 9, type: "string", rules: { immutable: "updates to kind are forbidden." } },
        role: {
          number: 11,
          type: "string",
          pointer: true,
          optional: true,
          rules: { zeroIsAbsent: true, format: "dnsLabel" },
        },
        count: { number: 12, type: "int32", optional: true, rules: { zeroIsAbsent: false, min: 1 } },
        reason: { number: 13, type: "string", rules: { required: { until: "1.34", detail: "say why" } } },
        verbs: { number: 14, type: "string", list: true, rules: { loneWildcard: "verbs", nonEmpty: true } },
        target: { number: 15, type: "IntOrString", rules: { min: 1, max: 65535, format: "portName" } },
      },
    },
  }),
};
interface Shape {
  name?: string;
  nick?: string;
  label?: string;
  weight?: number;
  port?: number;
  delay?: number;
  groups?: number[];
  keys?: string[];
  size?: string;
  kind?: string;
  role?: string;
  count?: number;
  reason?: string;
  verbs?: string[];
  target?: number | string;
}
const shapeErrors = (shape: Shape, field: keyof Shape) =>
  errorTexts(fieldRules<Shape>(shapes, "Shape").check(shape, path, field));

test("a text has a length and a format, and an optional one may be left out", () => {
  const why =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  expect(shapeErrors({ name: "a" }, "name")).toEqual([]);
  expect(shapeErrors({}, "name")).toEqual(["spec.name: Required value"]);
  expect(shapeErrors({ name: "A" }, "name")).toEqual([`spec.name: Invalid value: "A": ${why}`]);
  expect(shapeErrors({ name: "a".repeat(71) }, "name")).toEqual([
    "spec.name: Too long: must have at most 70 bytes",
    `spec.name: Invalid value: "${"a".repeat(71)}": must be no more than 63 characters`,
  ]);
  expect(shapeErrors({ nick: "" }, "nick")).toEqual([]);
  expect(shapeErrors({ nick: "-" }, "nick")).toEqual([`spec.nick: Invalid value: "-": ${why}`]);
  expect(shapeErrors({}, "label")).toEqual([]);
  expect(shapeErrors({ label: "" }, "label")).toEqual([`spec.label: Invalid value: "": ${why}`]);
});

test("a range has words of its own, and what is left out is in no range", () => {
  expect(shapeErrors({}, "weight")).toEqual(["spec.weight: Invalid value: 0: must be in the range 1-100"]);
  expect(shapeErrors({ weight: 100 }, "weight")).toEqual([]);
  expect(shapeErrors({ port: 0 }, "port")).toEqual([]);
  expect(shapeErrors({ port: 65536 }, "port")).toEqual([
    "spec.port: Invalid value: 65536: must be between 1 and 65535, inclusive",
  ]);
  expect(shapeErrors({ delay: -1 }, "delay")).toEqual(["spec.delay: Invalid value: -1: too early"]);
  expect(shapeErrors({ delay: 60 }, "delay")).toEqual([]);
  expect(shapeErrors({ delay: 61 }, "delay")).toEqual(["spec.delay: Invalid value: 61: too late"]);
  expect(shapeErrors({ size: "-1" }, "size")).toEqual([
    'spec.size: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  expect(shapeErrors({ size: "1" }, "size")).toEqual([]);
});

test("a zero value counts as absent where the field says so, and is a value where it says not", () => {
  expect(shapeErrors({ role: "" }, "role")).toEqual([]);
  expect(shapeErrors({ role: "-" }, "role")).toEqual([
    expect.stringMatching(/^spec\.role: Invalid value: "-"/),
  ]);
  expect(shapeErrors({ count: 0 }, "count")).toEqual([
    "spec.count: Invalid value: 0: must be greater than 0",
  ]);
  expect(shapeErrors({}, "count")).toEqual(["spec.count: Invalid value: 0: must be greater than 0"]);
});

test("a detail ends with the words of a level", () => {
  expect(withErrorTextsOf(33, () => shapeErrors({}, "reason"))).toEqual([
    "spec.reason: Required value: say why",
  ]);
  expect(withErrorTextsOf(34, () => shapeErrors({}, "reason"))).toEqual(["spec.reason: Required value"]);
});

test("a wildcard has no other items beside it, and no text of a list is empty", () => {
  expect(shapeErrors({ verbs: ["*"] }, "verbs")).toEqual([]);
  expect(shapeErrors({ verbs: ["*", ""] }, "verbs")).toEqual([
    `spec.verbs: Invalid value: []string{"*", ""}: if '*' is present, must not specify other verbs`,
    "spec.verbs[1]: Required value",
  ]);
});

test("a number or a text has the range or the format", () => {
  expect(shapeErrors({ target: "http" }, "target")).toEqual([]);
  expect(shapeErrors({ target: 0 }, "target")).toEqual([
    "spec.target: Invalid value: 0: must be between 1 and 65535, inclusive",
  ]);
  expect(shapeErrors({ target: "-" }, "target")).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^spec\.target: Invalid value: "-"/)),
  );
});

test("each item of a list is checked, unless there are too many", () => {
  expect(shapeErrors({ groups: [1, 10] }, "groups")).toEqual([
    "spec.groups[1]: Invalid value: 10: must be between 0 and 9, inclusive",
  ]);
  expect(shapeErrors({ keys: ["a", "b", "a"] }, "keys")).toEqual(['spec.keys[2]: Duplicate value: "a"']);
  expect(shapeErrors({ keys: ["", "", "", ""] }, "keys")).toEqual([
    "spec.keys: Too many: 4: must have at most 3 items",
  ]);
});

test("a change is refused in the words of the field", () => {
  const rules = fieldRules<Shape>(shapes, "Shape");
  expect(errorTexts(rules.unchanged({ kind: "a" }, {}, path, "kind"))).toEqual([
    "spec.kind: Forbidden: updates to kind are forbidden.",
  ]);
  expect(rules.unchanged({ kind: "" }, {}, path, "kind")).toEqual([]);
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
  // If levels do not differ in what a field allows, no level is needed.
  expect(fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec").supported("externalTrafficPolicy")).toEqual([
    "Cluster",
    "Local",
  ]);
});

test("rules fit the fields that they are declared of", () => {
  const wrong = typePackages.flatMap(({ name, declare }) =>
    Object.entries(declare()).flatMap(([type, { fields }]) =>
      Object.entries(fields).flatMap(([field, { rules = {}, type: of, list }]) => {
        const isNumber = ["int32", "int64", "IntOrString"].includes(of);
        const isText = ["string", "IntOrString"].includes(of);
        const misfits = [
          (rules.min !== undefined || rules.max !== undefined) && !isNumber && of !== "Quantity",
          of === "Quantity" && (rules.min !== 0 || rules.max !== undefined) && rules.min !== undefined,
          rules.range === undefined && rules.max !== undefined && rules.min === undefined,
          rules.range === undefined && rules.max === undefined && (rules.min ?? 0) > 1,
          rules.range !== undefined && (rules.min ?? rules.max) === undefined,
          (rules.supported ?? rules.format ?? rules.maxBytes ?? rules.unique) !== undefined && !isText,
          (rules.maxItems ?? rules.unique ?? rules.loneWildcard) !== undefined && !list,
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
