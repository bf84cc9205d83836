import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ServiceAccount } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { serviceAccounts } from "./resource.js";

const definition = serviceAccounts(testApiContext());
const ground = kindGround(definition);
const account: JsonObject = {
  metadata: { name: "a", namespace: "ns" },
  secrets: [{ name: "s", namespace: "other", kind: "Secret", uid: "u" }],
};

test("of a secret only the name is kept", () => {
  expect(ground.write(account).secrets).toEqual([{ name: "s" }]);
  expect(ground.rewrite({ metadata: {} }, account).secrets).toEqual([{ name: "s" }]);
  expect(ground.cells(account)).toMatchObject({ Secrets: 1 });
});

test("secrets that are enforced by an annotation are warned of since 1.32", () => {
  const context = testApiContext({ level: "1.32" });
  const { warningsOnCreate, warningsOnUpdate } = serviceAccounts(context).strategy;
  const key = `${context.naming.domain}/enforce-mountable-secrets`;
  const object: ServiceAccount = { metadata: { name: "a", annotations: { [key]: "true" } } };
  const write = testWriteContext();
  expect(warningsOnCreate?.(write, object)).toEqual([
    `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ]);
  expect(warningsOnUpdate?.(write, object, object)).toEqual([]);
  expect(serviceAccounts(testApiContext({ level: "1.31" })).strategy.warningsOnCreate).toBeUndefined();
});

test("tokens are asked for by a subresource of another group", () => {
  expect(definition.subresources).toEqual([
    {
      kind: "operation",
      name: "token",
      verbs: ["create"],
      object: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
    },
  ]);
});
