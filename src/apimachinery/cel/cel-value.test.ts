import { expect, test } from "vitest";
import { CelMap } from "./cel-value.js";

test("a computed member is found without a look at the others", () => {
  class Members extends Map<string, unknown> {
    override keys(): never {
      throw new Error("all members were listed");
    }
  }
  const map = CelMap.computed(new Members([["a", 1]]), (name) => `made of ${name}`);
  expect(map.get("a")).toBe("made of a");
  expect(map.get("b")).toBeUndefined();
  expect(map.get(1n)).toBeUndefined();
  expect(map.size).toBe(1);
});
