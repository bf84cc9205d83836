import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { toRevision } from "../kv.js";
import type { ObjectCodec } from "../object-store.js";
import { createStoredObject, encodeStoredObject } from "../stored-object.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { encodeCreated, encodeCreatedInTurns, encodeUpdated } from "./encoded-write.js";
import { withOtherVersion } from "./version-in-body.js";

const printing = createTestCodec();

/** Stores the body between two texts, and cannot store anything else. */
const sharing: ObjectCodec<TestObject> = {
  ...printing,
  storedAround: { before: '{"kind":"Test",', after: "\n" },
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

describe("in turns", () => {
  /** Prints in two steps. */
  const stepping = (codec: ObjectCodec<TestObject>): ObjectCodec<TestObject> => ({
    ...codec,
    *toBodySteps(object) {
      yield;
      return codec.toBody(object);
    },
  });

  test.each([
    ["around its body", stepping(sharing)],
    ["in another form", stepping(printing)],
  ])("a new object that is stored %s has its revision afterwards", async (_form, codec) => {
    let turns = 0;
    const { bytes, stored } = await encodeCreatedInTurns(codec, "ns/a", testObject("ns/a", "x"), async () => {
      turns++;
    });
    expect(turns).toBeGreaterThan(1);
    expect(JSON.parse(text(bytes))).toMatchObject(testObject("ns/a", "x"));
    expect(text(bytes)).not.toContain("resourceVersion");
    expect(stored(toRevision(7)).revision).toBe(7);
    expect(stored(toRevision(7)).decode().metadata.resourceVersion).toBe("7");
    expect(stored(toRevision(7)).fields).toEqual({ "metadata.name": "a", "metadata.namespace": "ns" });
  });

  test("an object is encoded at once where nobody waits for a turn", () => {
    const object = testObject("ns/a", "x");
    const encoded = encodeStoredObject(stepping(printing), "ns/a", object, toRevision(3), () => undefined);
    expect(encoded).toEqual(createStoredObject(stepping(printing), "ns/a", object, toRevision(3)));
  });

  test("it is given up when the turn is refused", async () => {
    const refused = async (): Promise<void> => {
      throw new Error("the client has left");
    };
    await expect(
      encodeCreatedInTurns(stepping(sharing), "ns/a", testObject("ns/a", "x"), refused),
    ).rejects.toThrow("the client has left");
  });
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
