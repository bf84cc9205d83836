import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { apiServices } from "./resource.js";

const context = testApiContext();
const apiService = kindUnderTest(apiServices(context));
const json = {
  metadata: { name: "v1.example.com" },
  spec: {
    group: "example.com",
    version: "v1",
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    service: { namespace: "ns", name: "svc" },
    caBundle: "AQID",
  },
};
const local = changed(changed(json, "spec.service", undefined), "spec.caBundle", undefined);

test("is reached on port 443 unless it says otherwise, and not known to be available", () => {
  const { object, errors } = apiService.create(json);
  expect(errors).toEqual([]);
  expect(object.spec.service?.port).toBe(443);
  expect(object.status).toEqual({});
  expect(apiService.cells(json)).toEqual(["v1.example.com", "ns/svc", "Unknown", "<unknown>"]);
});

test("what the server serves itself is available at once", () => {
  const { object, errors } = apiService.create(local);
  expect(errors).toEqual([]);
  expect(object.status.conditions).toEqual([
    {
      type: "Available",
      status: "True",
      reason: "Local",
      message: "Local APIServices are always available",
      lastTransitionTime: "2022-01-01T00:00:00Z",
    },
  ]);
  expect(apiService.cells(local)[1]).toBe("Local");
});

test.each([
  [
    "metadata.name",
    "v2.example.com",
    [
      'metadata.name: Invalid value: "v2.example.com": must be `spec.version+"."+spec.group`: "v1.example.com"',
    ],
  ],
  [
    "metadata.generateName",
    "v1.",
    ['metadata.generateName: Invalid value: "v1.": must be `spec.version+"."+spec.group`: "v1.example.com"'],
  ],
  [
    "spec.version",
    "1",
    [
      'metadata.name: Invalid value: "v1.example.com": must be `spec.version+"."+spec.group`: "1.example.com"',
      expect.stringMatching(/^spec\.version: Invalid value: "1": a DNS-1035 label/),
    ],
  ],
  [
    "spec.groupPriorityMinimum",
    0,
    ["spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000"],
  ],
  [
    "spec.versionPriority",
    1001,
    ["spec.versionPriority: Invalid value: 1001: must be positive and less than 1000"],
  ],
  ["spec.service.name", "", ["spec.service.name: Required value"]],
  ["spec.service.namespace", "", ["spec.service.namespace: Required value"]],
  [
    "spec.insecureSkipTLSVerify",
    true,
    ["spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present"],
  ],
  [
    "spec.service",
    undefined,
    ['spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle'],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(apiService.create(changed(json, path, value)).errors).toEqual(errors);
  expect(apiService.update(changed(json, path, value), json).errors).toEqual(errors);
});

test("only the first version may be of no group", () => {
  const core = {
    metadata: { name: "v1." },
    spec: { version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
  };
  expect(apiService.create(core).errors).toEqual([]);
  expect(
    apiService.create({ metadata: { name: "v2." }, spec: { ...core.spec, version: "v2" } }).errors,
  ).toEqual([
    `spec.group: Required value: only v1 may have an empty group and it better be legacy ${context.naming.prefix}`,
  ]);
});

test("its status part changes conditions only", () => {
  const conditions = [{ type: "Available", status: "False", reason: "MissingEndpoints" }];
  const next = {
    ...json,
    metadata: { name: "v1.example.com", labels: { a: "b" } },
    spec: { ...json.spec, versionPriority: 16 },
    status: { conditions },
  };
  const { object, errors } = apiService.update(next, json, "status");
  expect(errors).toEqual([]);
  expect(object.metadata.labels).toBeUndefined();
  expect(object.spec.versionPriority).toBe(15);
  expect(apiService.cells({ ...json, status: { conditions } })[2]).toBe("False (MissingEndpoints)");
  expect(
    apiService.update(changed(next, "status.conditions.0.status", "Maybe"), json, "status").errors,
  ).toEqual([
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
  ]);
});
