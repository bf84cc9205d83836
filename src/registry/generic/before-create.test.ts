import { expect, test } from "vitest";
import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { configMaps } from "../../apis/core/config-map/resource.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { serverWriter, WriteScope } from "../../request/write-scope.js";
import { beforeCreate } from "./before-create.js";

const user = { name: "jane", uid: "", groups: [], extra: {} };
const definition = configMaps(testApiContext());

function refusal(validatesMetadataLast: boolean, errors: readonly string[]): string {
  const strategy = {
    ...definition.strategy,
    validatesMetadataLast,
    validate: () => errors.map((why) => invalid(FieldPath.of("data"), "", why)),
  };
  const scope = new WriteScope(serverWriter(user, new Date(0)), { namespace: "ns", dryRun: false });
  try {
    beforeCreate(definition, strategy, scope, { metadata: { name: "A", namespace: "ns" } });
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

test("metadata is checked with the rest, or after it", () => {
  expect(refusal(false, ["is odd"])).toMatch(/^ConfigMap "A" is invalid: \[metadata\.name: .*, data: /);
  expect(refusal(true, ["is odd"])).toMatch(/^ConfigMap "A" is invalid: data: /);
  expect(refusal(true, [])).toMatch(/^ConfigMap "A" is invalid: metadata\.name: /);
});
