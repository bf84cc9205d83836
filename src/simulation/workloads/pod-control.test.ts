import { expect, test } from "vitest";
import { notFound, StatusError } from "../../apimachinery/errors/status.js";
import { isNamespaceEnding } from "./pod-control.js";

function forbidden(cause?: string): StatusError {
  return new StatusError({
    code: 403,
    reason: "Forbidden",
    message: "unable to create new content in namespace ns because it is being terminated",
    details: { causes: cause === undefined ? [] : [{ reason: cause, message: "", field: "" }] },
  });
}

test.each<[string, unknown, boolean]>([
  ["a refusal with the cause of the namespace", forbidden("NamespaceTerminating"), true],
  ["a namespace that is gone", notFound({ group: "", resource: "namespaces" }, "ns"), true],
  ["a refusal with another cause", forbidden("FieldValueInvalid"), false],
  ["a refusal without a cause", forbidden(), false],
  ["another error", new Error("because it is being terminated"), false],
])("an error because a namespace terminates is told apart from others: %s", (_what, error, isEnding) => {
  expect(isNamespaceEnding(error)).toBe(isEnding);
});
