import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { ApiClient } from "../support/api-client.js";
import { applyPatch, type GroundHere, openGroundHere } from "../support/fixtures.js";

/** Long YAML is read and printed beside the event loop. */

const maps = "/api/v1/namespaces/default/configmaps";
const yaml = { contentType: "application/yaml" };
const asYaml = { headers: { accept: "application/yaml" } };
const lines = Array.from({ length: 600 }, (_, i) => `  key-${i}: value ${i}`);
let ground: GroundHere;
let api: ApiClient;

beforeAll(async () => {
  ground = await openGroundHere();
  api = ground.api;
});

afterAll(() => ground.dispose());

function longMap(name: string, more: readonly string[] = []): string {
  return [
    "apiVersion: v1",
    "kind: ConfigMap",
    `metadata: {name: ${name}}`,
    "data:",
    ...lines,
    ...more,
    "",
  ].join("\n");
}

test("others are answered while a long body is read", async () => {
  let isAnswered = false;
  const long = api.ask("POST", maps, { ...yaml, raw: longMap("long") }).finally(() => {
    isAnswered = true;
  });
  let answered = 0;
  for (; !isAnswered; answered++) expect((await api.get("/version")).status).toBe(200);
  expect(answered).toBeGreaterThan(0);
  const answer = await long;
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body.data)).toHaveLength(lines.length);
});

test("a long object and a long list are printed as short ones are", async () => {
  const json = await api.get(`${maps}/long`);
  const printed = await api.ask("GET", `${maps}/long`, asYaml);
  expect(printed.headers["content-type"]).toBe("application/yaml");
  expect(parse(printed.text)).toEqual(json.body);
  const list = await api.get(maps);
  expect(parse((await api.ask("GET", maps, asYaml)).text)).toEqual(list.body);
});

test("long texts that are almost numbers are printed", async () => {
  const data = { digits: `${"1".repeat(500_000)}x`, underscores: `${"_".repeat(400_000)}x` };
  const created = await api.ask("POST", maps, {
    raw: JSON.stringify({ metadata: { name: "digits" }, data }),
  });
  expect(created.status).toBe(201);
  const printed = await api.ask("GET", `${maps}/digits`, asYaml);
  expect(printed.status).toBe(200);
  expect(printed.text).toMatch(/^ {2}digits: 1/m);
  expect(parse(printed.text).data).toEqual(data);
  expect((await api.ask("DELETE", `${maps}/digits`)).status).toBe(200);
});

test("what is nested too deep for the library is given as JSON, which is YAML", async () => {
  const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const data = `${'{"a":'.repeat(990)}{}${"}".repeat(990)}`;
  const raw = `{"metadata":{"name":"deep"},"revision":1,"data":${data}}`;
  expect((await api.ask("POST", revisions, { raw })).status).toBe(201);
  const printed = await api.ask("GET", `${revisions}/deep`, asYaml);
  expect(printed.body).toEqual((await api.get(`${revisions}/deep`)).body);
  const list = await api.ask("GET", revisions, asYaml);
  expect(list.status).toBe(200);
  expect(list.text).toMatch(/^items:\n- \{"metadata":/m);
  const again = await api.ask("PUT", `${revisions}/deep`, { ...yaml, raw: printed.text });
  expect(again.status).toBe(200);
});

test("keys that repeat are told by their lines", async () => {
  const options = { ...yaml, raw: longMap("twice", ["  key-1: again"]) };
  const answer = await api.ask("POST", `${maps}?fieldValidation=Strict&dryRun=All`, options);
  expect(answer.body).toMatchObject({ code: 400, reason: "BadRequest" });
  expect(answer.body.message).toContain('line 605: key "key-1" already set in map');
  const warned = await api.ask("POST", `${maps}?fieldValidation=Warn&dryRun=All`, options);
  expect(warned.status).toBe(201);
  expect(warned.headers.warning).toContain("line 605");
});

test.each([
  ["what is no YAML", longMap("bad", ["  key: [1"]), 400, "line 606:"],
  ["nesting without end", `${longMap("deep")}deep: ${"[".repeat(100_000)}`, 400, "exceeded max depth"],
  ["aliases without end", `${longMap("bomb")}${bomb()}`, 400, "excessive aliasing"],
  ["more than 3 MiB", `# ${"x".repeat(3 * 1024 * 1024)}\n`, 413, "limit is 3145728"],
])("%s is refused", async (_what, raw, code, message) => {
  for (const answer of [
    await api.ask("POST", maps, { ...yaml, raw }),
    await api.ask("PATCH", `${maps}/long?fieldManager=me`, { contentType: applyPatch, raw }),
  ]) {
    expect(answer.body).toMatchObject({ kind: "Status", code });
    expect(answer.body.message).toContain(message);
  }
});

test("a long configuration is applied", async () => {
  const path = `${maps}/applied?fieldManager=me`;
  const answer = await api.ask("PATCH", path, { contentType: applyPatch, raw: longMap("applied") });
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body.data)).toHaveLength(lines.length);
});

function bomb(): string {
  const levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++) {
    levels.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]`);
  }
  return `${levels.join("\n")}\n`;
}
