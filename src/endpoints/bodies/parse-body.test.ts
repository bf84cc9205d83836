import { expect, test } from "vitest";
import { StatusError } from "../../apimachinery/errors/status.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { createNaming } from "../../naming/naming.js";
import { type BodyOptions, BodyParser } from "./parse-body.js";

const naming = createNaming("orch");
const parser = new BodyParser({ yaml: new YamlConverter(), protobufMediaType: naming.protobufMediaType });

function decode(text: string | Buffer, contentType?: string, options?: BodyOptions) {
  const { signal } = new AbortController();
  return parser.parse({ body: { bytes: Buffer.from(text), contentType }, signal }, options);
}

async function failure(text: string | Buffer, contentType?: string, options?: BodyOptions): Promise<string> {
  try {
    await decode(text, contentType, options);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "nothing";
}

test.each([undefined, "", "application/json", "application/json; charset=utf-8", "Application/JSON"])(
  "Content-Type %s is JSON",
  async (contentType) => {
    expect(await decode('{"a":[9007199254740993]}', contentType)).toEqual({
      kind: "json",
      value: { a: [9007199254740993n] },
    });
  },
);

test("YAML becomes the JSON value", async () => {
  expect(await decode("a:\n- b: yes\n", "application/yaml")).toEqual({
    kind: "json",
    value: { a: [{ b: true }] },
  });
});

test.each(["orch", "kubernetes"] as const)("protobuf by the name of the %s profile", async (profile) => {
  const typeMeta = { apiVersion: "v1", kind: "Pod" };
  const bytes = encodeEnvelope(typeMeta, Buffer.from([1, 2, 3]));
  const body = await decode(bytes, createNaming(profile).protobufMediaType);
  expect(body).toMatchObject({ kind: "protobuf", typeMeta });
  expect(body?.kind === "protobuf" && [...body.raw]).toEqual([1, 2, 3]);
});

test("an empty body counts as no body", async () => {
  expect(await decode("")).toBeUndefined();
  expect(await decode("", "application/yaml")).toBeUndefined();
});

test.each(["text/plain", "application/merge-patch+json", "rubbish", "application/x-www-form-urlencoded"])(
  "Content-Type %s is refused, with what is taken",
  async (contentType) => {
    expect(await failure("{}", contentType)).toBe(
      "415 the body of the request was in an unknown format - accepted media types include: " +
        `application/json, application/yaml, ${naming.protobufMediaType}`,
    );
  },
);

test.each([
  ["{", undefined, "400 couldn't get version/kind; json parse error: unexpected end of JSON input"],
  [
    "x",
    undefined,
    "400 couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value",
  ],
  ["a: [", "application/yaml", "400 yaml: line 1: "],
  [Buffer.from([0x61, 0xff]), "application/yaml", "400 yaml: invalid UTF-8"],
  [
    "{}",
    naming.protobufMediaType,
    "400 provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
  ],
])("what does not parse is 400 with the reason (%s, %s)", async (text, contentType, message) => {
  expect(await failure(text, contentType)).toContain(message);
});

test.each([
  ["[".repeat(1_000_000), "application/json"],
  ['{"a":'.repeat(500_000), "application/json"],
  ["[".repeat(100_000), "application/yaml"],
])("deep nesting is 400 (%#)", async (text, contentType) => {
  expect(await failure(text, contentType)).toMatch(/^400 /);
});

test.each([
  ['{"a":x}', `{"a":x}`],
  [`{"a":"${"b".repeat(40)}"`, `{"a":"${"b".repeat(24)} ...`],
  ["xyz", "78797a"],
])("a kind that was expected is named, with the beginning of the body", async (text, shown) => {
  const message = await failure(text, undefined, { expectedKind: "Pod" });
  expect(message).toMatch(
    /^400 the object provided is unrecognized \(must be of type Pod\): couldn't get version\/kind; /,
  );
  expect(message.endsWith(` (${shown})`)).toBe(true);
});

test.each([
  ['{"a":{"b":1,"b":2},"a":3}', "application/json", ["a.b", "a"]],
  ["a:\n  b: 1\n  b: 2\na: 3\n", "application/yaml", ["3: b", "4: a"]],
  ['{"a":{"b":1,\n"b":2},\n"a":3}', "application/yaml", ["2: b", "3: a"]],
])("repeated fields of %j are reported, the last one counts", async (text, contentType, expected) => {
  const found: string[] = [];
  const body = await decode(text, contentType, {
    onDuplicateField: (path) => found.push(path),
    onDuplicateKey: (key, line) => found.push(`${line}: ${key}`),
  });
  expect(found).toEqual(expected);
  expect(body).toEqual({ kind: "json", value: { a: 3 } });
});
