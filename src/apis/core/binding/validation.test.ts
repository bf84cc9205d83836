import { expect, test } from "vitest";
import type { Binding } from "../../gen/core-v1.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { validateBinding } from "./validation.js";

const codec = testApiContext().schemas.codec<Binding>("core/v1.Binding");

test.each([
  [{ kind: "Node", name: "n" }, []],
  [{ name: "n" }, []],
  [{}, ["target.name: Required value"]],
  [
    { kind: "Pod", name: "n" },
    ['target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"'],
  ],
])("target %j: %j", (target, expected) => {
  expect(errorTexts(validateBinding(codec.fromJson({ metadata: { name: "p" }, target })))).toEqual(expected);
});
