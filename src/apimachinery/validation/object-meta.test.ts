import { expect, test } from "vitest";
import { type FieldError, FieldPath } from "../errors/field-error.js";
import type { ObjectMeta } from "../objects/meta.js";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.js";
import { nameIsDnsSubdomain } from "./object-name.js";

const path = FieldPath.of("metadata");
const rules = { namespaced: true, validateName: nameIsDnsSubdomain };

function texts(errors: FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${error.body}`);
}

test("a plain object passes", () => {
  const meta: ObjectMeta = {
    name: "a",
    namespace: "b",
    labels: { "x/y": "z" },
    finalizers: ["example.com/f"],
  };
  expect(validateObjectMeta(meta, { ...rules, standardFinalizers: [] }, path)).toEqual([]);
});

const cases: [string, ObjectMeta, Partial<typeof rules>, string[]][] = [
  ["no name", { namespace: "b" }, {}, ["metadata.name: Required value: name or generateName is required"]],
  ["no namespace", { name: "a" }, {}, ["metadata.namespace: Required value"]],
  [
    "a namespace on a cluster-wide kind",
    { name: "a", namespace: "b" },
    { namespaced: false },
    ["metadata.namespace: Forbidden: not allowed on this type"],
  ],
  [
    "a negative generation",
    { name: "a", namespace: "b", generation: -1 },
    {},
    ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
  ],
  [
    "two controllers",
    {
      name: "a",
      namespace: "b",
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: "p", uid: "1", controller: true },
        { apiVersion: "v1", kind: "Pod", name: "q", uid: "2", controller: true },
      ],
    },
    {},
    [
      'metadata.ownerReferences: Invalid value: []v1.OwnerReference{v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"p", UID:"1", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}, v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"q", UID:"2", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}}: Only one reference can have Controller set to true. Found "true" in references for p and q',
    ],
  ],
  [
    "an event as owner",
    {
      name: "a",
      namespace: "b",
      ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "e", uid: "1" }],
    },
    {},
    [
      'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"e", UID:"1", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    "an empty owner",
    { name: "a", namespace: "b", ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
    {},
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ],
  ],
  [
    "both finalizers of the garbage collector",
    { name: "a", namespace: "b", finalizers: ["orphan", "foregroundDeletion"] },
    {},
    [
      'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    "a managed fields entry of no known operation",
    {
      name: "a",
      namespace: "b",
      managedFields: [{ manager: "m\u0001", operation: "Patch", fieldsType: "V2" }],
    },
    {},
    [
      'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Invalid value: "m\\x01": invalid character U+0001 (at position 1)',
    ],
  ],
  [
    "annotations over 256 KiB",
    { name: "a", namespace: "b", annotations: { k: "x".repeat(256 * 1024) } },
    {},
    ["metadata.annotations: Too long: must have at most 262144 bytes"],
  ],
];
test.each(cases)("refuses %s", (_name, meta, change, expected) => {
  expect(texts(validateObjectMeta(meta, { ...rules, ...change }, path))).toEqual(expected);
});

test("annotation keys may be in upper case, label values are checked", () => {
  const meta: ObjectMeta = {
    name: "a",
    namespace: "b",
    annotations: { "EXAMPLE.com/X": "" },
    labels: { a: "-" },
  };
  const errors = texts(validateObjectMeta(meta, rules, path));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(
    /^metadata\.labels: Invalid value: "-": a valid label must be an empty string or/,
  );
});

test("an update cannot start a deletion", () => {
  const old: ObjectMeta = { name: "a", namespace: "b", resourceVersion: "5" };
  const deletionTimestamp = "2020-01-01T00:00:00Z";
  expect(texts(validateObjectMetaUpdate({ ...old, deletionTimestamp }, old, path))).toEqual([
    "metadata.deletionTimestamp: Invalid value: 2020-01-01 00:00:00 +0000 UTC: field is immutable",
  ]);
});

test("built-in kinds know the finalizers without a domain", () => {
  const meta: ObjectMeta = { name: "a", namespace: "b", finalizers: ["mine", "orphan", "odd"] };
  expect(texts(validateObjectMeta(meta, { ...rules, standardFinalizers: ["mine"] }, path))).toEqual([
    'metadata.finalizers[2]: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
  ]);
  expect(validateObjectMeta(meta, rules, path)).toEqual([]);
});

test("an update keeps what identifies the object", () => {
  const old: ObjectMeta = { name: "a", namespace: "b", uid: "1", resourceVersion: "5", generation: 2 };
  expect(validateObjectMetaUpdate({ ...old, finalizers: ["x/y"] }, old, path)).toEqual([]);
  expect(
    texts(validateObjectMetaUpdate({ namespace: "c", generation: 1, name: "a", uid: "2" }, old, path)),
  ).toEqual([
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    "metadata.generation: Invalid value: 1: must not be decremented",
    'metadata.namespace: Invalid value: "c": field is immutable',
    'metadata.uid: Invalid value: "2": field is immutable',
  ]);
});

test("a terminating object takes no new finalizers", () => {
  const old: ObjectMeta = {
    name: "a",
    resourceVersion: "1",
    deletionTimestamp: "2020-01-01T00:00:00Z",
    finalizers: ["a/b"],
  };
  expect(texts(validateObjectMetaUpdate({ ...old, finalizers: ["c/d", "a/b"] }, old, path))).toEqual([
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
  ]);
  expect(validateObjectMetaUpdate({ ...old, finalizers: [] }, old, path)).toEqual([]);
});
