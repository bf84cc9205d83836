import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { secrets } from "./resource.js";

const ground = kindGround(secrets(testApiContext()));
const secret = (fields: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns", annotations },
  ...fields,
});
const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("text becomes data and wins over it", () => {
  const object = ground.read(secret({ data: { a: "AQ==", b: "Ag==" }, stringData: { b: "x", c: "é" } }));
  expect(object).toMatchObject({
    type: "Opaque",
    data: { a: "AQ==", b: base64("x"), c: base64("é") },
    stringData: undefined,
  });
});

const nameKey = "kubernetes.io/service-account.name";
test.each<[string, JsonObject, JsonObject, string[]]>([
  ["free", { type: "example.com/x" }, {}, []],
  ["token", { type: "kubernetes.io/service-account-token" }, { [nameKey]: "default" }, []],
  [
    "token of nobody",
    { type: "kubernetes.io/service-account-token" },
    {},
    [`metadata.annotations[${nameKey}]: Required value`],
  ],
  ["registry", { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } }, {}, []],
  ["registry of old", { type: "kubernetes.io/dockercfg" }, {}, ["data[.dockercfg]: Required value"]],
  [
    "registry as a list",
    { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "[]" } },
    {},
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
  ["password", { type: "kubernetes.io/basic-auth", data: { password: "" } }, {}, []],
  [
    "neither name nor password",
    { type: "kubernetes.io/basic-auth" },
    {},
    ["data[%s][username]: Required value", "data[%s][password]: Required value"],
  ],
  [
    "empty key",
    { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
    {},
    ["data[%s][ssh-privatekey]: Required value"],
  ],
  ["certificate", { type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } }, {}, []],
  [
    "certificate alone",
    { type: "kubernetes.io/tls", data: { "tls.crt": "" } },
    {},
    ["data[tls.key]: Required value"],
  ],
  ["bad key", { data: { "..": "" } }, {}, [`data[..]: Invalid value: "..": must not be '..'`]],
  [
    "too big",
    { stringData: { a: "x".repeat(1024 * 1024 + 1) } },
    {},
    ["data: Too long: must have at most 1048576 bytes"],
  ],
])("a secret: %s", (_name, fields, annotations, errors) => {
  expect(ground.createErrors(secret(fields, annotations))).toEqual(errors);
});

test("what is no JSON is not repeated", () => {
  const [error] = ground.createErrors(
    secret({ type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "secret!" } }),
  );
  expect(error).toMatch(
    /^data\[.dockercfg\]: Invalid value: "<secret contents redacted>": invalid character/,
  );
});

test("missing keys are named like others since 1.24", () => {
  const errorsAt = (level: ApiLevel, type: string) =>
    kindGround(secrets(testApiContext({ level })), level).createErrors(
      secret({ type: `kubernetes.io/${type}` }),
    );
  expect(errorsAt("1.24", "basic-auth")).toEqual([
    "data[username]: Required value",
    "data[password]: Required value",
  ]);
  expect(errorsAt("1.24", "ssh-auth")).toEqual(["data[ssh-privatekey]: Required value"]);
});

test("type and what is immutable stay; a type that is left out is the old one", () => {
  const old = secret({ type: "a", immutable: true, data: { k: "AQ==" } });
  expect(ground.updateErrors(old, old)).toEqual([]);
  expect(ground.updateErrors(old, secret({ type: "b", data: {} }))).toEqual([
    'type: Invalid value: "b": field is immutable',
    "immutable: Forbidden: field is immutable when `immutable` is set",
    "data: Forbidden: field is immutable when `immutable` is set",
  ]);
});

test("rows show type and number of entries", () => {
  expect(ground.cells(secret({ data: { a: "", b: "" } }))).toMatchObject({ Type: "Opaque", Data: 2 });
});

test("TLS secrets whose key and certificate cannot be used together are warned about since 1.27", () => {
  const empty = secret({ type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } });
  const warningsAt = (level: ApiLevel) => {
    const definition = secrets(testApiContext({ level }));
    const object = kindUnderTest(definition).decode(empty);
    return [
      definition.strategy.warningsOnCreate?.(testWriteContext(), object),
      definition.strategy.warningsOnUpdate?.(testWriteContext(), object, object),
    ];
  };
  const warnings = ["tls: failed to find any PEM data in certificate input"];
  expect(warningsAt("1.26")).toEqual([undefined, undefined]);
  expect(warningsAt("1.27")).toEqual([warnings, warnings]);
});
