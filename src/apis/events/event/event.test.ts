import { describe, expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { coreEvents, groupEvents } from "./resource.js";

const context = testApiContext({ options: { eventTtlSeconds: 60 } });
const core = kindUnderTest(coreEvents(context));
const group = kindUnderTest(groupEvents(context));
/** Of a level that compares an event with the one before. */
const strictGroup = kindUnderTest(groupEvents(testApiContext({ level: "1.24" })));

const pod = {
  kind: "Pod",
  namespace: "ns",
  name: "web",
  uid: "1",
  apiVersion: "v1",
  resourceVersion: "7",
  fieldPath: "spec",
};

const old = {
  metadata: { name: "e", namespace: "ns" },
  involvedObject: pod,
  reason: "Pulled",
  message: " image pulled\n",
  source: { component: "agent", host: "node-1" },
  firstTimestamp: "2021-12-31T23:00:00Z",
  lastTimestamp: "2021-12-31T23:59:00Z",
  count: 3,
  type: "Normal",
  reportingComponent: "",
  reportingInstance: "",
};

const strict = {
  metadata: { name: "e", namespace: "ns", resourceVersion: "1" },
  eventTime: "2021-12-31T23:59:00.000000Z",
  regarding: pod,
  reason: "Pulled",
  note: "image pulled",
  action: "Pull",
  type: "Normal",
  reportingController: "example.com/agent",
  reportingInstance: "agent-1",
};

describe("between groups", () => {
  test("every field comes back", () => {
    const full = {
      ...strict,
      series: { count: 2, lastObservedTime: "2021-12-31T23:59:30.000000Z" },
      related: { kind: "Node", name: "n" },
      deprecatedSource: { component: "c", host: "h" },
      deprecatedFirstTimestamp: "2021-12-31T23:00:00Z",
      deprecatedLastTimestamp: "2021-12-31T23:30:00Z",
      deprecatedCount: 4,
    };
    for (const version of ["v1", "v1beta1"]) {
      expect(group.encode(group.decode(full, version), version)).toEqual({
        ...full,
        metadata: { ...full.metadata, creationTimestamp: null },
      });
    }
  });

  test("the stored form is the core group's", () => {
    expect(groupEvents(context).storage).toEqual({ ...coreEvents(context).storage, group: "" });
    expect(group.decode(strict)).toMatchObject({
      involvedObject: pod,
      message: "image pulled",
      reportingComponent: "example.com/agent",
    });
  });

  test("one event answers selectors of both", () => {
    const { names: coreNames, values } = coreEvents(context).selectableFields;
    const { names: groupNames } = groupEvents(context).selectableFields;
    const fields = values(core.decode({ ...old, source: {}, reportingComponent: "c" }));
    expect(Object.keys(fields).sort()).toEqual([...new Set([...coreNames, ...groupNames])].sort());
    expect(fields).toMatchObject({
      "involvedObject.name": "web",
      "regarding.name": "web",
      reportingComponent: "c",
      reportingController: "c",
      source: "c",
    });
  });
});

describe("in the core group", () => {
  test.each([
    ["metadata.namespace", "ns", []],
    [
      "metadata.namespace",
      "other",
      ['involvedObject.namespace: Invalid value: "ns": does not match event.namespace'],
    ],
    [
      "involvedObject.namespace",
      undefined,
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
    ["type", "Weird", []],
    [
      "eventTime",
      "2021-12-31T23:59:00.000000Z",
      [
        "reportingController: Required value",
        expect.stringMatching(/^reportingController: Invalid value: "": name part must be non-empty/),
        expect.stringMatching(/^reportingController: Invalid value: "": name part must consist of/),
        "reportingInstance: Required value",
        "action: Required value",
      ],
    ],
  ])("with %s = %j", (path, value, errors) => {
    const json = changed(old, path, value);
    expect(core.create(json).errors).toEqual(errors);
    expect(core.update(json, old).errors).toEqual(errors);
  });

  test("an event about something without namespace is in the default one", () => {
    const about = { kind: "Node", name: "n" };
    const json = { ...old, metadata: { name: "e", namespace: "default" }, involvedObject: about };
    expect(core.create(json).errors).toEqual([]);
  });
});

describe("in its own group", () => {
  test("a new event is as it should be", () => {
    expect(group.create(strict).errors).toEqual([]);
  });

  test.each([
    ["metadata.name", "E", [expect.stringMatching(/^metadata\.name: Invalid value: "E"/)]],
    ["type", "Weird", ['type: Invalid value: "": has invalid value: Weird']],
    [
      "series",
      { count: 1 },
      ['series.count: Invalid value: "": should be at least 2', "series.lastObservedTime: Required value"],
    ],
    ["deprecatedCount", 1, ['count: Invalid value: "": needs to be unset']],
    ["deprecatedSource", { host: "h" }, ['source: Invalid value: "": needs to be unset']],
    [
      "deprecatedFirstTimestamp",
      "2021-12-31T23:00:00Z",
      ['firstTimestamp: Invalid value: "": needs to be unset'],
    ],
    ["eventTime", undefined, ["eventTime: Required value"]],
    ["action", "x".repeat(129), ['action: Invalid value: "": can have at most 128 characters']],
    ["note", "x".repeat(1025), ['message: Invalid value: "": can have at most 1024 characters']],
  ])("with %s = %j", (path, value, errors) => {
    expect(group.create(changed(strict, path, value)).errors).toEqual(errors);
  });

  test("the older version takes what the core group takes", () => {
    const json = changed(changed(strict, "type", "Weird"), "deprecatedCount", 1);
    expect(group.create(json, { version: "v1beta1" }).errors).toEqual([]);
    expect(group.create(json, { version: "v1" }).errors).toHaveLength(2);
  });

  test.each([
    ["series", { count: 2, lastObservedTime: "2021-12-31T23:59:30.000000Z" }, []],
    [
      "series",
      { count: 1, lastObservedTime: "2021-12-31T23:59:30.000000Z" },
      ['series.count: Invalid value: "": should be at least 2'],
    ],
    ["note", "else", ['message: Invalid value: "else": field is immutable']],
    ["reportingController", "other", ['reportingController: Invalid value: "other": field is immutable']],
  ])("changing %s to %j", (path, value, errors) => {
    expect(strictGroup.update(changed(strict, path, value), strict).errors).toEqual(errors);
    expect(group.update(changed(strict, path, value), strict).errors).toEqual([]);
  });
});

test("events go by themselves", () => {
  for (const { strategy } of [coreEvents(context), groupEvents(context)]) {
    expect(strategy.ttlSeconds?.(core.decode(old))).toBe(60);
    expect(strategy.defaultPropagation?.("v1")).toBe("unsupported");
  }
});

describe("prints", () => {
  test("an event of the old kind", () => {
    expect(core.cells(old)).toEqual([
      "60s",
      "Normal",
      "Pulled",
      "pod/web",
      "spec",
      "agent, node-1",
      "image pulled",
      "60m",
      3,
      "e",
    ]);
  });

  test("an event of the new kind, with and without a series", () => {
    const series = { count: 5, lastObservedTime: "2021-12-31T23:59:30.000000Z" };
    expect(group.cells(strict).slice(0, 1)).toEqual(["60s"]);
    expect(group.cells(strict).slice(5)).toEqual([
      "example.com/agent, agent-1",
      "image pulled",
      "60s",
      1,
      "e",
    ]);
    const cells = group.cells({ ...strict, series });
    expect([cells[0], cells[7], cells[8]]).toEqual(["30s", "60s", 5]);
    expect(core.cells({ ...old, count: 0 })[8]).toBe(1);
  });
});
