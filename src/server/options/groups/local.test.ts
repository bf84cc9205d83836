import { expect, test } from "vitest";
import { isControllerSelected } from "./local.js";

test.each([
  [["*"], true],
  [["*", "-namespace"], false],
  [["-namespace", "namespace"], true],
  [["namespace"], true],
  [["serviceaccount"], false],
  [["-serviceaccount"], false],
  [[], false],
])("with --controllers %j the namespace controller runs: %s", (items, expected) => {
  expect(isControllerSelected("namespace", items)).toBe(expected);
});
