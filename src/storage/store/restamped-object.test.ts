import { expect, test } from "vitest";
import { toRevision } from "../kv.js";
import { createStoredObject } from "../stored-object.js";
import { createTestCodec, testObject } from "../testing/test-object.js";
import { RestampedObject } from "./restamped-object.js";

const codec = createTestCodec();

test.each([
  [9, 10],
  [123456, 7],
])("the version %i becomes %i in body and object, the source stays as it is", (from, to) => {
  const source = createStoredObject(codec, "a/x", testObject("a/x", "é", { team: "red" }), toRevision(from));
  const restamped = new RestampedObject(codec, source, toRevision(to));
  expect(restamped.decode()).toEqual({
    ...source.decode(),
    metadata: { ...source.decode().metadata, resourceVersion: String(to) },
  });
  expect(restamped.body.toString()).toBe(
    source.body.toString().replace(`"resourceVersion":"${from}"`, `"resourceVersion":"${to}"`),
  );
  expect(restamped).toMatchObject({ key: "a/x", revision: to, labels: { team: "red" } });
  expect(source.decode().metadata.resourceVersion).toBe(String(from));
});

test("a label that looks like the version is not mistaken for it", () => {
  const labels = { resourceVersion: "5" };
  const source = createStoredObject(codec, "a/x", testObject("a/x", "1", labels), toRevision(5));
  const { metadata } = new RestampedObject(codec, source, toRevision(6)).decode();
  expect(metadata.resourceVersion).toBe("6");
  expect(metadata.labels).toEqual(labels);
});

test("an update of a restamped object can be restamped again", () => {
  const source = createStoredObject(codec, "a/x", testObject("a/x", "1"), toRevision(5));
  const twice = new RestampedObject(codec, new RestampedObject(codec, source, toRevision(60)), toRevision(7));
  expect(twice.decode().metadata.resourceVersion).toBe("7");
});
