import { expect, test } from "vitest";
import { deferMember, deferredText, readingDeferred, UnreadMember } from "./deferred-member.js";

test("members that are still text are read in steps", () => {
  const decoded: string[] = [];
  const version = (text: string): object => {
    const made = { name: text };
    deferMember(made, "schema", new UnreadMember(text), function* (json) {
      decoded.push(json);
      yield;
      return { json };
    });
    return made;
  };
  const object = {
    metadata: {},
    spec: { versions: [version("1"), { schema: { read: true } }, version("2")] },
  };
  const steps = readingDeferred(object, { spec: { versions: { schema: "blank" } } });
  expect(deferredText(object.spec.versions[0] ?? {}, "schema")).toBe("1");
  expect(steps.next().done).toBe(false);
  expect(decoded).toEqual(["1"]);
  expect(deferredText(object.spec.versions[0] ?? {}, "schema")).toBe("1");
  expect([...steps].length).toBeGreaterThan(1);
  expect(decoded).toEqual(["1", "2"]);
  expect(object.spec.versions[2]).toEqual({ name: "2", schema: { json: "2" } });
  expect(decoded).toEqual(["1", "2"]);
});

test("a member that is set while it is read stays as it was set", () => {
  const object = { schema: {} };
  deferMember(object, "schema", new UnreadMember("1"), function* (json) {
    yield;
    return { json };
  });
  const steps = readingDeferred(object, { schema: "blank" });
  steps.next();
  object.schema = { set: true };
  expect([...steps]).toHaveLength(1);
  expect(object).toEqual({ schema: { set: true } });
});

test("an object without the members is left as it is", () => {
  expect([...readingDeferred({ spec: null }, { spec: { versions: { schema: "blank" } } })]).toEqual([]);
});
