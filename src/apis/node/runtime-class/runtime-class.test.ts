import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { runtimeClasses } from "./resource.js";

const runtimeClass = kindUnderTest(runtimeClasses(testApiContext()));
const json = {
  metadata: { name: "gvisor" },
  handler: "runsc",
  overhead: { podFixed: { memory: "64Mi" } },
  scheduling: { nodeSelector: { sandbox: "yes" } },
};

test("a runtime class with overhead", () => {
  expect(runtimeClass.create(json).errors).toEqual([]);
  expect(runtimeClass.cells(json)).toEqual(["gvisor", "runsc", "<unknown>"]);
});

test.each([
  ["handler", "", [expect.stringMatching(/^handler: Invalid value: "": a lowercase RFC 1123 label/)]],
  [
    "overhead.podFixed",
    { memory: "-1" },
    ['overhead.limits[memory]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    "scheduling.nodeSelector",
    { "a b": "c" },
    [expect.stringMatching(/^scheduling\.nodeSelector: Invalid value: "a b"/)],
  ],
  [
    "scheduling.tolerations",
    [{ key: "a", operator: "Near" }],
    [
      'scheduling.tolerations.tolerations[0].operator: Unsupported value: "Near": supported values: "Equal", "Exists"',
    ],
  ],
  [
    "scheduling.tolerations",
    [
      { key: "a" },
      { key: "a", effect: "NoExecute" },
      { key: "a", effect: "NoExecute", tolerationSeconds: 1 },
    ],
    [expect.stringMatching(/^scheduling\.tolerations\[2\]: Duplicate value: /)],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(runtimeClass.create(changed(json, path, value)).errors).toEqual(errors);
});

test("in the words of 1.36, a handler is required", () => {
  const errors = withErrorTextsOf(
    minorOf("1.36"),
    () => runtimeClass.create(changed(json, "handler", "")).errors,
  );
  expect(errors).toEqual(["handler: Required value"]);
});

test("keeps its handler", () => {
  expect(runtimeClass.update(changed(json, "handler", "kata"), json).errors).toEqual([
    'handler: Invalid value: "kata": field is immutable',
  ]);
});

test("the oldest version has a spec and calls the handler otherwise", () => {
  const object = runtimeClass.decode(json);
  const oldest = runtimeClass.encode(object, "v1alpha1");
  const { metadata: _metadata, handler, ...rest } = json;
  expect(oldest).toMatchObject({ spec: { runtimeHandler: handler, ...rest } });
  expect(runtimeClass.decode(oldest, "v1alpha1")).toEqual(object);
});

test("has no overhead while its gate is off", () => {
  const gated = kindUnderTest(runtimeClasses(testApiContext({ gates: { PodOverhead: false } })));
  expect(gated.create(json).object.overhead).toBeUndefined();
});

test("since 1.25, deprecated node labels are warned of", () => {
  const warnings = (level: ApiLevel) => {
    const definition = runtimeClasses(testApiContext({ level }));
    const object = kindUnderTest(definition).decode(
      changed(json, "scheduling.nodeSelector", { "beta.kubernetes.io/arch": "arm64", sandbox: "yes" }),
    );
    return definition.strategy.warningsOnCreate?.(testWriteContext(), object) ?? [];
  };
  expect(warnings("1.24")).toEqual([]);
  expect(warnings("1.25")).toEqual([
    'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead',
  ]);
});

test("tolerations of a class do not compare, even where those of pods may", () => {
  const gates = { TaintTolerationComparisonOperators: true };
  const classes = kindUnderTest(runtimeClasses(testApiContext({ level: "1.36", gates })), "1.36");
  const tolerations = [{ key: "a", operator: "Gt", value: "1", effect: "NoExecute" }];
  expect(classes.create(changed(json, "scheduling.tolerations", tolerations)).errors).toEqual([
    'scheduling.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
  ]);
});
