import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import type { ApiAnswer } from "../support/api-client.js";
import { causesOf, type GroundHere, openGroundHere } from "../support/fixtures.js";
import { type KindCases, readKindCases } from "../support/kind-cases.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { settled } from "../support/settled.js";
import { collectionOf } from "../support/stored-kinds.js";

/**
 * Every field of a valid object of every kind, in every version, is taken away on creation and changed on update. The table says
 * which of these the server refuses and in what words; all others it accepts.
 */

const context = testApiContext();
const objects = await minimalObjects(context.naming);
const kinds = builtinResources(context)
  .filter((definition) => definition.storage !== undefined)
  .map((definition) => ({
    definition,
    versions: definition.versions.filter((version) => version.enabledByDefault).map(({ version }) => version),
    name: [definition.resource, ...definition.group.split(".").slice(0, 1)].filter((s) => s !== "").join("."),
  }))
  .filter(({ versions }) => versions.length > 0);

type Json = ApiAnswer["body"];
type Path = readonly (string | number)[];

const kindCases = readKindCases();
const observed: Record<string, KindCases> = {};
/** A new table, to be read before it replaces the old one. */
const recordTo = process.env.RECORD_KIND_CASES;
let ground: GroundHere;

/** These plugins add to requests, and would refuse changes of their additions. */
const adding = ["ServiceAccount", "TaintNodesByCondition", "Priority", "StorageObjectInUseProtection"];

beforeAll(async () => {
  ground = await openGroundHere([
    `--disable-admission-plugins=${adding.join()}`,
    "--controllers=*,-pvc-protection,-pv-protection",
  ]);
});

afterAll(async () => {
  if (recordTo !== undefined) writeFileSync(recordTo, JSON.stringify(observed));
  await ground.dispose();
});

describe.each(kinds)("$name", ({ definition, versions, name }) => {
  const [first = ""] = versions;
  const given: Json = objects[name] ?? {};
  const objectName: string = given.metadata?.name ?? "minimal";
  const object: Json = { ...given, metadata: { ...given.metadata, name: objectName } };
  const collection = collectionOf(definition, first);
  /** The object in each version, as a client of that version sends it. */
  const inVersions = new Map<string, Json>([[first, object]]);

  test("can be written, and comes back in every version", async () => {
    const created = await ground.api.post(collection, object);
    expect(created.status, created.text).toBe(201);
    for (const version of versions) {
      const path = `${collectionOf(definition, version)}/${objectName}`;
      const { body, status } = await settled(ground.api, definition.resource, path);
      expect(status).toBe(200);
      inVersions.set(version, body);
    }
  });

  test.each(versions)("%s: an update changes what may change", async (version) => {
    const current = inVersions.get(version);
    const path = `${collectionOf(definition, version)}/${objectName}?dryRun=All`;
    const refused: Record<string, string[]> = {};
    for (const field of pathsOf(current, true)) {
      const changed = edited(current, field, (value) => otherThan(value));
      const answer = await ground.api.put(path, changed);
      if (answer.status === 422) refused[textOf(field)] = shortCauses(answer);
      else expect([textOf(field), answer.status], answer.text).toEqual([textOf(field), 200]);
    }
    check(name, version, first, "fixed", refused);
  });

  test.each(versions)("%s: a creation needs what is required", async (version) => {
    await ground.api.ask(
      "DELETE",
      `${collection}/${objectName}?gracePeriodSeconds=0&propagationPolicy=Background`,
    );
    // Definitions go when their objects are gone.
    if (definition.resource !== "namespaces") {
      await expect.poll(async () => (await ground.api.get(`${collection}/${objectName}`)).status).toBe(404);
    }
    const path = `${collectionOf(definition, version)}?dryRun=All`;
    const sent = version === first ? object : withoutServerFields(inVersions.get(version));
    const whole = await ground.api.post(path, sent);
    if (definition.resource !== "namespaces") expect(whole.status, whole.text).toBe(201);
    const refused: Record<string, string[]> = {};
    for (const field of pathsOf(sent, false)) {
      const answer = await ground.api.post(
        path,
        edited(sent, field, () => undefined),
      );
      if (answer.status === 422) refused[textOf(field)] = shortCauses(answer);
      else expect([textOf(field), answer.status], answer.text).toEqual([textOf(field), 201]);
    }
    check(name, version, first, "required", refused);
  });
});

function check(
  name: string,
  version: string,
  first: string,
  what: keyof KindCases,
  refused: Record<string, string[]>,
): void {
  const key = version === first ? name : `${name}/${version}`;
  if (recordTo !== undefined) {
    observed[key] = { ...(observed[key] ?? { required: {}, fixed: {} }), [what]: refused };
    return;
  }
  expect(refused).toEqual((kindCases[key] ?? kindCases[name])?.[what]);
}

/** Of every field and item below the metadata and beside the status; `leaves` leaves those out that have some below. */
function pathsOf(value: Json, leaves: boolean, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return at.length === 0 ? [] : [at];
  const below = Object.keys(value)
    .map((key) => [...at, Array.isArray(value) ? Number(key) : key])
    .filter(
      (path) => !["apiVersion", "kind", "metadata", "status"].includes(String(path[0])) || path.length > 1,
    )
    .flatMap((path) =>
      pathsOf(
        path.reduce((v: Json, k) => v[k], wrap(at, value)),
        leaves,
        path,
      ),
    );
  return at.length === 0 || (leaves && below.length > 0) ? below : [at, ...below];
}

/** `value` at `at` of an object that has nothing else. */
function wrap(at: Path, value: Json): Json {
  return at.reduceRight((inner: Json, key) => ({ [key]: inner }), value);
}

function edited(object: Json, [head = "", ...rest]: Path, change: (value: Json) => Json): Json {
  const copy = Array.isArray(object) ? [...object] : { ...object };
  const value = rest.length === 0 ? change(copy[head]) : edited(copy[head], rest, change);
  if (value !== undefined) copy[head] = value;
  else if (Array.isArray(copy)) copy.splice(Number(head), 1);
  else delete copy[head];
  return copy;
}

function otherThan(value: Json): Json {
  switch (typeof value) {
    case "string":
      if (/^\d{4}-.*Z$/.test(value)) return value.replace(/^\d{4}/, "2031");
      if (/^\d/.test(value)) return `7${value}`; // quantities stay quantities
      return /^[\w+/]+==?$|^LS0t/.test(value) ? `AAAA${value}` : `${value}x`; // and base64 stays that
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    default:
      return undefined;
  }
}

function textOf(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

/** Bad values may be long, and random. */
function shortCauses(answer: ApiAnswer): string[] {
  return causesOf(answer).map((cause) =>
    cause
      .replace(/\b\d?[0-9a-f]{8}-[0-9a-f-]{27}x?/g, "<uid>")
      .replace(/(Invalid value: .{60}).*(: [^:]*)$/s, "$1…$2")
      .replace(/\d*10\.0\.0\.\d+/, "x10.0.0.x")
      .slice(0, 300),
  );
}

function withoutServerFields({ status: _status, metadata, ...rest }: Json): Json {
  const { name, labels, annotations } = metadata;
  return { ...rest, metadata: { name, labels, annotations } };
}
