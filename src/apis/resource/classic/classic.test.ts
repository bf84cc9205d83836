import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { classicClaims, classicClaimTemplates } from "./claims.js";
import { resourceClaimParameters, resourceClassParameters } from "./parameters.js";
import { podSchedulingContexts } from "./pod-scheduling.js";
import { resourceClasses } from "./resource-class.js";
import { classicSlices } from "./slices.js";

const context = testApiContext({ level: "1.30" });
const driver = "driver.example.com";

describe("a claim", () => {
  const kind = kindUnderTest(classicClaims(context), "1.30");
  const claim: JsonObject = {
    metadata: { name: "c" },
    spec: { resourceClassName: "gpu", parametersRef: { kind: "Parameters", name: "p" } },
  };
  const consumer = { resource: "pods", name: "p", uid: "1" };
  const status = (more: JsonObject): JsonObject => ({ ...claim, status: { driverName: driver, ...more } });
  const allocated = status({ allocation: { shareable: false }, reservedFor: [consumer] });
  const asked = status({ allocation: {}, deallocationRequested: true });

  test("gets its resource with the first pod unless it says otherwise, and never changes", () => {
    const { object, errors } = kind.create({ ...claim, status: { driverName: driver } });
    expect(errors).toEqual([]);
    expect(object.spec.allocationMode).toBe("WaitForFirstConsumer");
    expect(object.status).toEqual({});
    expect(kind.update(changed(claim, "spec.resourceClassName", "other"), claim).errors).toEqual([
      expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
    ]);
  });

  test.each<[string, JsonValue | undefined, string[]]>([
    [
      "spec.allocationMode",
      "Later",
      [
        'spec.allocationMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    ["spec.parametersRef.kind", "", ["spec.parametersRef.kind: Required value"]],
    ["spec.resourceClassName", "A", [expect.stringMatching(/^spec\.resourceClassName: Invalid value: "A"/)]],
  ])("with %s = %j", (path, value, errors) => {
    expect(kind.create(changed(claim, path, value)).errors).toEqual(errors);
  });

  test.each<[JsonObject, JsonObject, string[]]>([
    [allocated, claim, []],
    [
      changed(allocated, "status.driverName", undefined),
      claim,
      ["status.driverName: Required value: must be specified when `allocation` is set"],
    ],
    [
      changed(allocated, "status.allocation", undefined),
      claim,
      ["status.reservedFor: Forbidden: may not be specified when `allocated` is not set"],
    ],
    [
      changed(allocated, "status.reservedFor.1", { ...consumer, uid: "2" }),
      claim,
      ["status.reservedFor: Forbidden: may not be reserved more than once"],
    ],
    [
      changed(changed(allocated, "status.reservedFor.1", consumer), "status.allocation.shareable", true),
      claim,
      ['status.reservedFor[1].uid: Duplicate value: "1"'],
    ],
    [
      changed(allocated, "status.allocation.shareable", true),
      allocated,
      [expect.stringMatching(/^status\.allocation: Invalid value: .*: field is immutable$/)],
    ],
    [
      changed(allocated, "status.deallocationRequested", true),
      allocated,
      [
        "status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set",
      ],
    ],
    [asked, status({ allocation: {} }), []],
    [
      changed(asked, "status.deallocationRequested", undefined),
      asked,
      ["status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set"],
    ],
    [
      changed(asked, "status.reservedFor", [consumer]),
      asked,
      [
        "status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
      ],
    ],
    [
      changed(asked, "status.allocation", undefined),
      asked,
      ["status: Forbidden: `allocation` must be set when `deallocationRequested` is set"],
    ],
    [
      status({ allocation: { resourceHandles: [{ driverName: driver, data: "x".repeat(16 * 1024 + 1) }] } }),
      claim,
      ["status.allocation.resourceHandles[0].data: Too long: must have at most 16384 bytes"],
    ],
    [
      status({
        allocation: {
          resourceHandles: [{ driverName: driver, data: "x", structuredData: { results: [{}] } }],
        },
      }),
      claim,
      [
        "status.allocation.resourceHandles[0].structuredData.results[0]: Required value: exactly one structured model field must be set",
        "status.allocation.resourceHandles[0]: Invalid value: data and structuredData are mutually exclusive",
      ],
    ],
  ])("whose status becomes %j", (next, old, errors) => {
    expect(kind.update(next, old, "status").errors).toEqual(errors);
  });

  test("is printed", () => {
    expect(kind.cells(claim).slice(0, 4)).toEqual(["c", "gpu", "WaitForFirstConsumer", "pending"]);
    expect(kind.cells(allocated)[3]).toBe("allocated,reserved");
    expect(kind.cells(asked)[3]).toBe("allocated,deallocating");
  });

  test("has one handle in v1alpha1", () => {
    const first = kindUnderTest(classicClaims(testApiContext({ level: "1.26" })), "1.26");
    const object = first.decode(status({ allocation: { resourceHandle: "data" } }), "v1alpha1");
    expect(object.status.allocation?.resourceHandles).toEqual([{ driverName: driver, data: "data" }]);
    expect(first.encode(object, "v1alpha1")).toMatchObject({
      status: { allocation: { resourceHandle: "data" } },
    });
  });
});

test("a template of claims is checked as they are", () => {
  const kind = kindUnderTest(classicClaimTemplates(context), "1.30");
  const template = { metadata: { name: "t" }, spec: { spec: { resourceClassName: "A" } } };
  expect(kind.create(template).errors).toEqual([
    expect.stringMatching(/^spec\.spec\.resourceClassName: Invalid value: "A"/),
  ]);
});

test("a class names its driver", () => {
  const kind = kindUnderTest(resourceClasses(context), "1.30");
  expect(kind.create({ metadata: { name: "c" }, driverName: driver }).errors).toEqual([]);
  expect(
    kind.create({
      metadata: { name: "c" },
      driverName: "",
      parametersRef: { kind: "K", name: "n", namespace: "A" },
    }).errors,
  ).toEqual([
    "driverName: Required value",
    expect.stringMatching(/^driverName: Invalid value: ""/),
    expect.stringMatching(/^parametersRef\.namespace: Invalid value: "A"/),
  ]);
});

test("nodes are offered once each", () => {
  const kind = kindUnderTest(podSchedulingContexts(context), "1.30");
  const offer = (potentialNodes: string[]) => ({ metadata: { name: "p" }, spec: { potentialNodes } });
  expect(kind.create(offer(["n", "n"])).errors).toEqual(['spec.potentialNodes[1]: Duplicate value: "n"']);
  const many = Array.from({ length: 129 }, (_, n) => `n${n}`);
  expect(kind.create(offer(many)).errors).toEqual([
    "spec.potentialNodes: Too long: may not be longer than 128",
  ]);
  const answer = { ...offer(["n"]), status: { resourceClaims: [{ name: "c" }, { name: "c" }] } };
  expect(kind.update(answer, offer(["n"]), "status").errors).toEqual([
    'status.claims[1]: Duplicate value: "c"',
  ]);
});

describe("parameters", () => {
  const requests = kindUnderTest(resourceClaimParameters(context), "1.30");
  const filters = kindUnderTest(resourceClassParameters(context), "1.30");
  const asking = (selector: string): JsonObject => ({
    metadata: { name: "p" },
    driverRequests: [{ driverName: driver, requests: [{ namedResources: { selector } }] }],
  });
  const path = "driverRequests[0].requests[0].namedResources.selector";

  test.each<[string, string[]]>([
    ['attributes.string["model"] == "a" && attributes.int["count"] > 2', []],
    ["", [`${path}: Required value`]],
    ["1", [`${path}: Invalid value: "1": must evaluate to bool, not int`]],
    ["attributes.other", [expect.stringMatching(/compilation failed: .*undefined field 'other'/s)]],
  ])("that select by %j", (selector, errors) => {
    expect(requests.create(asking(selector)).errors).toEqual(errors);
  });

  test("that are stored are taken as they are", () => {
    expect(requests.update(asking("attributes.other"), asking("attributes.other")).errors).toEqual([]);
  });

  test("name each driver once, and what is wanted of it", () => {
    const twice = changed(asking("true"), "driverRequests.1", { driverName: driver });
    expect(requests.create(twice).errors).toEqual([
      `driverRequests[1].driverName: Duplicate value: "${driver}"`,
      "driverRequests[1].requests: Required value: empty entries with no requests are not allowed",
    ]);
    expect(filters.create({ metadata: { name: "p" }, filters: [{ driverName: driver }] }).errors).toEqual([
      "filters[0]: Required value: exactly one structured model field must be set",
    ]);
    const from = { ...asking("true"), generatedFrom: { apiGroup: "a.b", kind: "K", name: "n" } };
    expect(requests.cells(from).slice(0, 2)).toEqual(["p", "K.a.b n"]);
  });
});

describe("a slice", () => {
  const kind = kindUnderTest(classicSlices(context), "1.30");
  const slice = (attribute: JsonObject): JsonObject => ({
    metadata: { name: "s" },
    nodeName: "n",
    driverName: driver,
    namedResources: { instances: [{ name: "i", attributes: [{ name: "a", ...attribute }] }] },
  });
  const path = "namedResources.instances[0].attributes[0]";

  test.each<[JsonObject, string[]]>([
    [{ string: "x" }, []],
    [{}, [`${path}: Required value: exactly one value must be set`]],
    [
      { int: 1, bool: true },
      [`${path}: Invalid value: []string{"bool", "int"}: exactly one field must be set, not several`],
    ],
    [
      { version: "1" },
      [`${path}.version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0`],
    ],
  ])("with the attribute %j", (attribute, errors) => {
    expect(kind.create(slice(attribute)).errors).toEqual(errors);
  });

  test("stays on its node", () => {
    expect(kind.update({ ...slice({ int: 1 }), nodeName: "m" }, slice({ int: 1 })).errors).toEqual([
      'nodeName: Invalid value: "m": field is immutable',
    ]);
  });
});
