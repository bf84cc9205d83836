import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { storageVersions } from "./resource.js";

const definition = storageVersions(testApiContext());
const storageVersion = kindUnderTest(definition);
const server = { apiServerID: "a", encodingVersion: "apps/v1", decodableVersions: ["apps/v1"] };
const json = {
  metadata: { name: "apps.deployments" },
  status: { storageVersions: [server, { ...server, apiServerID: "b" }], commonEncodingVersion: "apps/v1" },
};

test("is named after a resource", () => {
  const { validateName } = definition.strategy;
  expect(validateName("apps.deployments", false)).toEqual([]);
  expect(validateName("deployments", false)).toEqual(["name must be in the form of <group>.<resource>"]);
  expect(validateName("A.1", false)).toEqual([
    expect.stringMatching(/^the group segment a lowercase RFC 1123 subdomain/),
    expect.stringMatching(/^the resource segment a DNS-1035 label/),
  ]);
});

test("starts without status, which only its part changes", () => {
  expect(storageVersion.create(json).object.status).toEqual({});
  expect(storageVersion.update({}, json).object.status.commonEncodingVersion).toBe("apps/v1");
  expect(storageVersion.update(json, {}, "status")).toMatchObject({
    errors: [],
    object: { status: json.status },
  });
});

test.each([
  [
    "status.storageVersions.0.apiServerID",
    "A",
    [expect.stringMatching(/^status\.storageVersions\[0\]\.apiServerID: Invalid value: "A"/)],
  ],
  [
    "status.storageVersions.1.encodingVersion",
    "apps/v2",
    [
      'status.storageVersions[1].decodableVersions: Invalid value: []string{"apps/v1"}: decodableVersions must include encodingVersion apps/v2',
      'status.commonEncodingVersion: Invalid value: "apps/v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    ],
  ],
  [
    "status.commonEncodingVersion",
    undefined,
    ['status.commonEncodingVersion: Invalid value: "null": the common encoding version is apps/v1'],
  ],
  [
    "status.commonEncodingVersion",
    "x/v1",
    ['status.commonEncodingVersion: Invalid value: "x/v1": the actual common encoding version is apps/v1'],
  ],
  [
    "status.conditions",
    [
      { type: "A", status: "True" },
      { type: "A", status: "True", reason: "r", message: "m" },
    ],
    [
      "status[0].reason: Required value: reason cannot be empty",
      "status[0].message: Required value: message cannot be empty",
      'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
    ],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(storageVersion.update(changed(json, path, value), json, "status").errors).toEqual(errors);
});

test("since 1.28, a server can decode what it serves", () => {
  const later = kindUnderTest(storageVersions(testApiContext({ level: "1.28" })), "1.28");
  const served = changed(json, "status.storageVersions.0.servedVersions", ["apps/v1", "apps/v2", "A"]);
  const path = "status.storageVersions[0].servedVersions";
  expect(later.update(served, json, "status").errors).toEqual([
    `${path}[1]: Invalid value: "apps/v2": individual served version : apps/v2 must be included in decodableVersions : [apps/v1]`,
    expect.stringMatching(/^status\.storageVersions\[0\]\.servedVersions\[2\]: Invalid value: "A": /),
    `${path}[2]: Invalid value: "A": individual served version : A must be included in decodableVersions : [apps/v1]`,
  ]);
});

test("prints what each server writes", () => {
  expect(storageVersion.cells(json)).toEqual([
    "apps.deployments",
    "apps/v1",
    "a=apps/v1,b=apps/v1",
    "<unknown>",
  ]);
  expect(storageVersion.cells({})).toEqual(["", "<unset>", "<unset>", "<unknown>"]);
});
