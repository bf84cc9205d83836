import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiLevel, apiLevels } from "../../src/apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  featureGateNames,
  gateAt,
} from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import type { MessageSchema } from "../../src/apimachinery/schema/message-schema.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import type { ApiAnswer } from "../support/api-client.js";
import { type GroundHere, mergePatch, openGroundHere, withoutAddedFields } from "../support/fixtures.js";
import { laterWorkloads } from "../support/full-objects/later-workloads.js";
import { fieldsOf } from "../support/level-fields.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";

/** Pods and workloads keep the fields of their level, and lose those of others. */

type Json = ApiAnswer["body"];

/** Gates of fields, which are on; some levels know none of them. */
const gates: readonly FeatureGateName[] = [
  "ClusterTrustBundle",
  "ClusterTrustBundleProjection",
  "ContainerRestartRules",
  "ContainerStopSignals",
  "DynamicResourceAllocation",
  "EnvFiles",
  "GenericWorkload",
  "HPAConfigurableTolerance",
  "HostnameOverride",
  "ImageVolume",
  "InPlacePodVerticalScaling",
  "MaxUnavailableStatefulSet",
  "PodCertificateRequest",
  "PodLevelResources",
  "ProcMountType",
  "TaintTolerationComparisonOperators",
  "UserNamespacesSupport",
];

describe.each<[level: ApiLevel]>([["1.36"], ["1.35"]])("at %s", (level) => {
  const context = testApiContext({ level });
  const known = gates.filter(
    (gate) => gateAt(gate, level) !== undefined && gateAt(gate, level)?.locked !== true,
  );
  const kinds = storedKinds(context).filter(({ name }) => name in laterWorkloads);
  let ground: GroundHere;

  beforeAll(async () => {
    ground = await openGroundHere([
      `--api-level=${level}`,
      `--feature-gates=${known.map((gate) => `${gate}=true`).join(",")}`,
      ...withoutAddedFields,
    ]);
  });
  afterAll(async () => {
    await ground.dispose();
  });

  test.each(kinds)("$name keeps what it has", async ({ definition, versions, name }) => {
    const [{ version, codec } = { version: "", codec: undefined }] = versions;
    const schema = codec?.schema;
    if (schema === undefined) throw new Error(`${name} has no schema`);
    for (const parts of laterWorkloads[name] ?? []) {
      const sent: Json = fieldsOf(schema, parts);
      const collection = collectionOf(definition, version);
      const object = { ...sent, metadata: { name: "later" } };
      const created = await ground.api.post(`${collection}?fieldValidation=Strict`, object);
      expect(created.status, created.text).toBe(201);
      expect(created.body).toMatchObject(JSON.parse(JSON.stringify(sent)));

      const path = `${collection}/later`;
      const { body } = await ground.api.get(path);
      const put = await ground.api.put(`${path}?fieldValidation=Strict`, body);
      expect([put.status, put.body.metadata?.resourceVersion], put.text).toEqual([
        200,
        body.metadata.resourceVersion,
      ]);
      const labelled = await ground.api.patch(path, mergePatch, { metadata: { labels: { a: "b" } } });
      expect({ ...labelled.body, metadata: undefined }).toEqual({ ...body, metadata: undefined });
    }
  });
});

test("no object has a field that no level has", () => {
  const levels = apiLevels.map(
    (level) => new Map(storedKinds(testApiContext({ level })).map((kind) => [kind.name, kind])),
  );
  for (const [name, objects] of Object.entries(laterWorkloads)) {
    const schemas = levels.flatMap((kinds) => kinds.get(name)?.versions[0]?.codec.schema ?? []);
    for (const object of objects) expect(lostPaths(schemas, object)).toEqual([]);
  }
  expect(gates.filter((gate) => !featureGateNames.includes(gate))).toEqual([]);
});

/** Paths of values that none of the schemas has. */
function lostPaths(schemas: readonly MessageSchema[], value: Json): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const fields = schemas.flatMap((schema) => schema.jsonFields.get(name) ?? []);
    if (fields.length === 0) return [name];
    const messages = fields.flatMap(({ element }) => (element.kind === "message" ? [element.message] : []));
    if (messages.length === 0 || typeof member !== "object" || member === null) return [];
    const members: Json[] = Array.isArray(member) ? member : [member];
    if (messages.every(({ jsonFields }) => jsonFields.size === 0)) return [];
    return members.flatMap((each) => lostPaths(messages, each).map((path) => `${name}.${path}`));
  });
}
