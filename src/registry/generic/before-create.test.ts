import { expect, test } from "vitest";
import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { configMaps } from "../../apis/core/config-map/resource.js";
import { replicationControllers } from "../../apis/core/replication-controller/resource.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
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

test("a name that does not follow from the object is refused in its place among the metadata", () => {
  const named = {
    ...definition.strategy,
    namesOf: (object: ApiObject) => (name: string) =>
      name === object.metadata.labels?.name ? [] : ["must be the label"],
  };
  const refusalOf = (name: string): string => {
    const scope = new WriteScope(serverWriter(user, new Date(0)), { namespace: "ns", dryRun: false });
    const metadata = { name, namespace: "ns", labels: { name: "a" }, annotations: { "!": "" } };
    try {
      beforeCreate(definition, named, scope, { metadata });
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "";
  };
  expect(refusalOf("a")).toMatch(/^ConfigMap "a" is invalid: metadata\.annotations: /);
  expect(refusalOf("b")).toMatch(
    /^ConfigMap "b" is invalid: \[metadata\.name: Invalid value: "b": must be the label, metadata\.annotations: /,
  );
});

test("warnings are in the words of the level", () => {
  const warnedAt = (level: ApiLevel): readonly string[] => {
    const context = testApiContext({ level });
    const controllers = { ...replicationControllers(context), level };
    const warnings: string[] = [];
    const writer = Object.assign(serverWriter(user, new Date(0)), {
      warn: (text: string) => void warnings.push(text),
    });
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "c" }] },
    };
    const object = hubVersion(controllers).codec.fromJson({
      metadata: { name: "a.b", namespace: "ns" },
      spec: { template },
    });
    hubVersion(controllers).setDefaults(object);
    const scope = new WriteScope(writer, { namespace: "ns", dryRun: false });
    beforeCreate(controllers, controllers.strategy, scope, object);
    return warnings;
  };
  expect(warnedAt("1.27")).toEqual([
    expect.stringMatching(/^metadata\.name: .*: \[must not contain dots\]$/),
  ]);
});
