import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import { textWithoutSecrets, withoutSecrets } from "./redaction.js";

const hidden = "aHVudGVyMi1odW50ZXIy";
const pem = ["-----BEGIN EC PRIVATE KEY-----", "MHcCAQEEIBhunter2", "-----END EC PRIVATE KEY-----"].join(
  "\n",
);
const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2";
const secret = { kind: "Secret", metadata: { name: "s" }, data: { password: hidden } };

test.each<[string, JsonValue, boolean]>([
  ["a secret", secret, false],
  ["a secret that does not say what it is", { metadata: { name: "s" }, data: { password: hidden } }, true],
  ["text of a secret", { kind: "Secret", stringData: { password: hidden } }, false],
  ["a list of secrets", { kind: "SecretList", items: [{ data: { password: hidden } }] }, false],
  ["a list of anything", { kind: "List", items: [secret] }, false],
  ["the rows of a table", { kind: "Table", rows: [{ cells: ["s", 1], object: secret }] }, false],
  [
    "what kubectl applied last",
    { kind: "Secret", metadata: { annotations: { last: JSON.stringify(secret) } } },
    false,
  ],
  ["a merge patch", { data: { password: hidden } }, true],
  ["a JSON patch of a member", [{ op: "add", path: "/data/password", value: hidden }], true],
  ["a JSON patch of all", [{ op: "replace", path: "/data", value: { password: hidden } }], true],
  ["a requested token", { kind: "TokenRequest", status: { token: hidden } }, false],
  ["a reviewed token", { kind: "TokenReview", spec: { token: hidden } }, false],
  ["a key in a text", { kind: "ConfigMap", data: { "tls.key": pem } }, false],
  ["a key without its end", { data: { key: pem.slice(0, 50) } }, false],
  ["a key in base64", { data: { conf: `client-key-data: ${Buffer.from(pem).toString("base64")}\n` } }, false],
  ["a signed token in a text", { data: { conf: `token: ${token}\n` } }, false],
])("takes out %s", (_what, value, isSecret) => {
  const text = JSON.stringify(withoutSecrets(value, isSecret));
  expect(/redacted|eyJyZWRhY3RlZCI6dHJ1ZX0=/.test(text)).toBe(true);
  for (const gone of [hidden, "MHcCAQEEIB", Buffer.from(pem).toString("base64").slice(30, 60), token]) {
    expect(text).not.toContain(gone);
  }
});

test("leaves what is no secret as it is", () => {
  const value = {
    kind: "ConfigMap",
    metadata: { name: "eyJ", annotations: { a: "b" } },
    data: {
      text: "PRIVATE KEY",
      certificate: Buffer.from("-----BEGIN CERTIFICATE-----\nMII").toString("base64"),
    },
    count: [1, null, true],
  };
  expect(withoutSecrets(value, false)).toEqual(value);
  expect(withoutSecrets({ kind: "Secret", type: "Opaque", data: { a: "" } }, true)).toEqual({
    kind: "Secret",
    type: "Opaque",
    data: { a: "" },
  });
});

test("takes tokens out of paths", () => {
  expect(textWithoutSecrets(`/api/v1/pods?x=${token}`)).toBe('/api/v1/pods?x={"redacted":true}');
});
