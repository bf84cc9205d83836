import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { toRevision } from "../kv.js";
import type { ObjectCodec } from "../object-store.js";
import { createStoredObject } from "../stored-object.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { encodeCreated, encodeUpdated } from "./encoded-write.js";
import { withOtherVersion } from "./version-in-body.js";

const printing = createTestCodec();

/** Stores the body between two texts, and cannot store anything else. */
const sharing: ObjectCodec<TestObject> = {
  ...printing,
  storedWrapper: { before: '{"kind":"Test",', after: "\n" },
  toStorage: () => {
    throw new Error("printed again");
  },
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

test("a new object is printed once for the store and for everyone who reads it", () => {
  const { bytes, stored } = encodeCreated(sharing, "ns/a", testObject("ns/a", "grün"));
  expect(text(bytes)).toBe(
    '{"kind":"Test","metadata":{"name":"a","namespace":"ns","labels":{}},"value":"grün"}\n',
  );
  expect(stored(toRevision(7))).toBe(stored(toRevision(7)));
  expect(stored(toRevision(7)).decode()).toMatchObject({ metadata: { resourceVersion: "7" }, value: "grün" });
  expect(stored(toRevision(8)).decode().metadata.resourceVersion).toBe("8");
});

test("a new object names no revision after it was encoded, so that it can be created again", () => {
  const object = testObject("ns/a", "x");
  encodeCreated(sharing, "ns/a", object);
  expect(object.metadata.resourceVersion ?? "").toBe("");
});

test("a change is printed once, too", () => {
  const object = testObject("ns/a", "x");
  const encoded = createStoredObject(sharing, "ns/a", object, toRevision(41));
  const { bytes, stored } = encodeUpdated(sharing, object, encoded);
  expect(text(bytes)).toBe(
    '{"kind":"Test","metadata":{"name":"a","namespace":"ns","labels":{}},"value":"x"}\n',
  );
  expect(stored(toRevision(42)).decode().metadata.resourceVersion).toBe("42");
});

test("the version is left out where it comes first", () => {
  const codec: ObjectCodec<TestObject> = {
    ...sharing,
    toBody: ({ metadata: { resourceVersion, ...metadata }, value }) =>
      Buffer.from(JSON.stringify({ metadata: { resourceVersion, ...metadata }, value }).slice(1)),
  };
  const { bytes } = encodeCreated(codec, "ns/a", testObject("ns/a", "x"));
  expect(JSON.parse(text(bytes))).toEqual({ kind: "Test", ...testObject("ns/a", "x") });
});

test("an object is printed twice where its body has the same text elsewhere", () => {
  const codec = { ...sharing, toStorage: printing.toStorage };
  const labels = { resourceVersion: "1" };
  const { bytes, stored } = encodeCreated(codec, "ns/a", testObject("ns/a", "x", labels));
  expect(JSON.parse(text(bytes))).toEqual(testObject("ns/a", "x", labels));
  expect(stored(toRevision(9)).decode().metadata).toMatchObject({ resourceVersion: "9", labels });
  const changed = testObject("ns/a", "y", { resourceVersion: "9" });
  const update = encodeUpdated(codec, changed, createStoredObject(codec, "ns/a", changed, toRevision(9)));
  expect(JSON.parse(text(update.bytes))).toEqual(testObject("ns/a", "y", { resourceVersion: "9" }));
});

test("a new object that is stored in another form has its revision afterwards", () => {
  const { bytes, stored } = encodeCreated(printing, "ns/a", testObject("ns/a", "x"));
  expect(JSON.parse(text(bytes))).toEqual(testObject("ns/a", "x"));
  expect(stored(toRevision(7)).revision).toBe(7);
  expect(stored(toRevision(7)).decode().metadata.resourceVersion).toBe("7");
  expect(stored(toRevision(7)).fields).toEqual({ "metadata.name": "a", "metadata.namespace": "ns" });
});

test("the version of the metadata is meant, whatever else has such a text", () => {
  const body = (version: string): string =>
    `"metadata":{"name":"a","resourceVersion":"${version}","labels":{"resourceVersion":"1"}},"data":{"resourceVersion":"1"}}`;
  expect(
    text(withOtherVersion(Buffer.from(body("1")), toRevision(1), toRevision(12)) ?? Buffer.alloc(0)),
  ).toBe(body("12"));
  const elsewhere = '"metadata":{"name":"a"},"resourceVersion":"1","data":{"resourceVersion":"1"}}';
  expect(withOtherVersion(Buffer.from(elsewhere), toRevision(1), toRevision(12))).toBeUndefined();
});
