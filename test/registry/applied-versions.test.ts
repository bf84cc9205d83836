import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";

import { testApiContext } from "../../src/apis/testing/api-context.js";
import { fullObjects } from "../support/full-objects/full-objects.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const context = testApiContext();
const minimal = await minimalObjects(context.naming);
const full = fullObjects(context.naming, await testSigningRequest());
let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround({ featureGates: new Map([["HPAContainerMetrics", true]]) });
});
afterAll(() => ground.dispose());

type Path = readonly string[];

/** The paths of all members and items below `spec` and its like. */
function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...pathsOf(member, [...path, name]),
  ]);
}

/** Without the member, or with another value. */
function changed(object: Json, [first = "", ...rest]: Path, value: Json): Json {
  if (rest.length > 0) {
    const member = changed(object[first], rest, value);
    return Array.isArray(object)
      ? object.map((item, index) => (String(index) === first ? member : item))
      : { ...object, [first]: member };
  }
  if (Array.isArray(object)) {
    return object.flatMap((item, index) =>
      String(index) !== first ? [item] : value === undefined ? [] : [value],
    );
  }
  const { [first]: _replaced, ...others } = object;
  return value === undefined ? others : { ...others, [first]: value };
}

/** Undefined leaves the member out. */
const odd: readonly Json[] = [undefined, null, 3e9, 1.5, "text", {}, [{}]];
/** For objects with all fields. */
const oddest: readonly Json[] = [undefined, 3e9];

function configurationsOf(config: Json, odd: readonly Json[]): Json[] {
  const { apiVersion, kind, metadata, ...parts } = config;
  return pathsOf(parts).flatMap((path) =>
    odd.map((value) => ({ apiVersion, kind, metadata, ...changed(parts, path, value) })),
  );
}

/** Kinds whose versions differ in more than their names: all their fields are tried. */
const differing = new Set([
  "endpointslices.discovery",
  "events.events",
  "horizontalpodautoscalers.autoscaling",
  "poddisruptionbudgets.policy",
]);

const kinds = storedKinds(context).filter(({ versions }) => versions.length > 1);

describe.each(kinds)("$name", ({ definition, versions, name: kind }) => {
  const pairs = versions.flatMap((from) =>
    versions
      .filter((to) => to !== from)
      .map((to) => ({ from: from.version, to: to.version, what: `${from.version} to ${to.version}` })),
  );
  test.each(pairs)(
    "nothing that is applied after another version fails the server: $what",
    async ({ from, to }) => {
      let number = 0;
      const isOfFirst = [from, to].includes(versions[0]?.version ?? "");
      const fullOnes = differing.has(kind) && isOfFirst ? (full[kind] ?? []) : [];
      for (const parts of [minimal[kind] ?? {}, ...fullOnes]) {
        const name = `applied-${from}-${to}-${number++}`;
        const at = (version: string) => `${collectionOf(definition, version)}/${name}`;
        const [first] = versions;
        const made = await ground.api.post(collectionOf(definition, first?.version ?? ""), {
          ...parts,
          metadata: { ...(parts.metadata as object), name, namespace: undefined },
        });
        expect(made.code, JSON.stringify(made.body)).toBe(201);
        const read = async (version: string): Promise<Json> => {
          const {
            apiVersion,
            kind,
            metadata: _,
            status: __,
            ...rest
          } = (await ground.api.get(at(version))).body;
          return { apiVersion, kind, metadata: { name }, ...rest };
        };
        const [config, other] = [await read(from), await read(to)];
        const failures: string[] = [];
        // What is refused leaves it as it is.
        let isApplied = false;
        for (const wanted of configurationsOf(other, number === 1 ? odd : oddest)) {
          if (!isApplied) await ground.api.apply(`${at(from)}?fieldManager=m&force=true`, config);
          isApplied = false;
          try {
            const { code, body } = await ground.api.apply(`${at(to)}?fieldManager=m&force=true`, wanted);
            isApplied = code >= 400;
            if (code >= 500) failures.push(`${JSON.stringify(wanted)}: ${body.message}`);
          } catch (error) {
            failures.push(`${JSON.stringify(wanted)}: ${(error as Error).stack?.split("\n").slice(0, 3)}`);
          }
        }
        expect(failures).toEqual([]);
      }
    },
  );
});

test("a number that does not fit is refused alike, whoever managed it in another version", async () => {
  const path = "/apis/policy/VERSION/namespaces/default/poddisruptionbudgets/overflowing?fieldManager=m";
  const apply = (version: string, minAvailable: number) =>
    ground.api.apply(path.replace("VERSION", version), {
      apiVersion: `policy/${version}`,
      kind: "PodDisruptionBudget",
      metadata: { name: "overflowing" },
      spec: { minAvailable },
    });
  const alone = await apply("v1", 3e9);
  expect((await apply("v1beta1", 1)).code).toBe(201);
  const refused = await apply("v1", 3e9);
  expect(refused).toEqual(alone);
  expect(refused.code).toBe(400);
  expect(refused.body.message).toMatch(/^failed to convert new object .*cannot unmarshal number 3000000000/);
});
