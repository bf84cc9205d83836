import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../testing/kind-ground.js";
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
