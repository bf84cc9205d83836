import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import type { FieldSchema, MessageSchema } from "../../src/apimachinery/schema/message-schema.js";
import type { ResourceDefinition } from "../../src/apis/definition/resource-definition.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import type { ApiAnswer } from "../support/api-client.js";
import {
  applyPatch,
  type GroundHere,
  mergePatch,
  openGroundHere,
  withoutAddedFields,
} from "../support/fixtures.js";
import { fullObjects } from "../support/full-objects/full-objects.js";
import { settled } from "../support/settled.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";

/** Objects with every field set come back as sent in every version, and sending them back changes nothing. */

const context = testApiContext();
const objects = fullObjects(context.naming, await testSigningRequest({ commonName: "full" }));
const kinds = storedKinds(context);

type Json = ApiAnswer["body"];

/** Of fields that are not stored otherwise. */
const gates = [
  "AnyVolumeDataSource",
  "HPAContainerMetrics",
  "IdentifyPodOS",
  "MixedProtocolLBService",
  "ProbeTerminationGracePeriod",
  "ProcMountType",
  "StatefulSetAutoDeletePVC",
  "TopologyAwareHints",
].map((gate) => `${gate}=true`);

let ground: GroundHere;

beforeAll(async () => {
  ground = await openGroundHere([
    `--feature-gates=${gates.join(",")}`,
    "--allow-privileged",
    ...withoutAddedFields,
  ]);
});

afterAll(async () => {
  await ground.dispose();
});

describe.each(kinds)("$name", ({ definition, versions, name }) => {
  const [first = { version: "" }] = versions;
  const all = (objects[name] ?? []).map((object, index): Json => {
    const given: Json = object;
    return { ...given, metadata: { name: `full-${index}`, ...given.metadata } };
  });

  test("has some", () => {
    expect(all.length).toBeGreaterThan(0);
  });

  test.each(all)("$metadata.name keeps what it has", async (object) => {
    const collection = collectionOf(definition, first.version);
    const { stringData: _written, ...sent } = object;
    const created = await ground.api.post(`${collection}?fieldValidation=Strict`, object);
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject(JSON.parse(JSON.stringify(sent)));
    const path = (version: string): string => `${collectionOf(definition, version)}/${object.metadata.name}`;

    for (const { version } of versions) {
      const { body } = await settled(ground.api, definition.resource, path(version));
      const { metadata, ...rest } = body;
      const put = await ground.api.put(`${path(version)}?fieldValidation=Strict`, body);
      expect([put.status, put.body.metadata?.resourceVersion], put.text).toEqual([
        200,
        metadata.resourceVersion,
      ]);

      const { managedFields: _managers, ...applicable } = metadata;
      const applied = await ground.api.patch(`${path(version)}?fieldManager=second&dryRun=All`, applyPatch, {
        ...rest,
        metadata: applicable,
      });
      expect(applied.status, applied.text).toBe(200);

      const labelled = await ground.api.patch(path(version), mergePatch, {
        metadata: { labels: { "example.org/in": version } },
      });
      expect(labelled.status, labelled.text).toBe(200);
      expect({ ...labelled.body, metadata: undefined }).toEqual({ ...rest, metadata: undefined });
      // Labels name the service of the endpoints.
      const counts = definition.resource === "endpointslices";
      const { generation } = metadata;
      expect(labelled.body.metadata.generation).toBe(counts ? generation + 1 : generation);
    }
    await refuseOrTake(definition, first.version, object.metadata.name);
    const gone = await ground.api.delete(
      `${path(first.version)}?gracePeriodSeconds=0&propagationPolicy=Background`,
    );
    expect([200, 202]).toContain(gone.status);
  });
});

/** Each value of the object is made wrong in several ways. If the server refuses it, that must be a client error, never a server error. */
async function refuseOrTake(definition: ResourceDefinition, version: string, name: string): Promise<void> {
  const path = `${collectionOf(definition, version)}/${name}`;
  const { body } = await ground.api.get(path);
  const paths = pathsOf(body).filter((_path, index) => index % everyNth === 0);
  for (const [index, at] of paths.entries()) {
    const edit = edits[index % edits.length];
    const answer = await ground.api.put(`${path}?dryRun=All`, edited(body, at, edit));
    expect([200, 400, 409, 422], `${at.join(".")} ${edit}: ${answer.text}`).toContain(answer.status);
  }
}

/** A sample, because all of them take minutes. */
const everyNth = 13;
const edits: readonly Json[] = [
  undefined,
  null,
  "",
  "A B/\u00e9\n",
  -1,
  2 ** 31 - 1,
  true,
  {},
  [],
  [null],
  { a: {} },
];

type Path = readonly string[];

function pathsOf(value: Json, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [
    ...(at.length === 0 ? [] : [at]),
    ...Object.keys(value).flatMap((key) => pathsOf(value[key], [...at, key])),
  ];
}

function edited(value: Json, [head = "", ...rest]: Path, member: Json): Json {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[head] = rest.length === 0 ? member : edited(copy[head], rest, member);
  return copy;
}

test("all fields are in some object", () => {
  const seen = new Map<string, Set<string>>();
  const schemas = new Map<string, MessageSchema>();
  for (const { versions, name } of kinds) {
    const schema = versions[0]?.codec.schema;
    if (schema === undefined) continue;
    collectSchemas(schema, schemas);
    for (const object of objects[name] ?? []) collectFields(schema, object, seen);
  }
  const missing = [...schemas.values()].flatMap((schema) =>
    [...schema.jsonFields.values()]
      .filter((field) => isSettable(field) && seen.get(schema.name)?.has(field.name) !== true)
      .map((field) => `${schema.name}.${field.name}`)
      .filter((name) => !unset.test(name)),
  );
  expect(missing).toEqual([]);
});

/** Fields that no new object has. */
const unset = new RegExp(
  `^(${[
    // Set by the server.
    String.raw`certificates/v1.CertificateSigningRequestSpec\.(username|uid|groups|extra)`,
    // Set through the subresource.
    String.raw`core/v1.(PodSpec\.ephemeralContainers|EphemeralContainer\..*)`,
    // Shuts out what tells a service without certificates of its own.
    String.raw`apiregistration/v1.APIServiceSpec\.caBundle`,
    // Refused in structural schemas.
    String.raw`apiextensions/v1.JSONSchemaProps\.(id|\$schema|\$ref|uniqueItems|patternProperties|dependencies|additionalItems|definitions)`,
    // Not stored, or only of objects from older versions.
    String.raw`apiextensions/v1.(JSONSchemaProps\.x-kubernetes-validations|ValidationRule\..*)`,
    String.raw`apiextensions/v1.CustomResourceDefinitionSpec\.preserveUnknownFields`,
    String.raw`core/v1.(NodeSpec\.configSource|NodeConfigSource\..*|ConfigMapNodeConfigSource\..*)`,
    String.raw`discovery/v1.Endpoint\.deprecatedTopology`,
    // Of the level named exempt only, which exists.
    String.raw`flowcontrol/v1beta2.(PriorityLevelConfigurationSpec\.exempt|ExemptPriorityLevelConfiguration\..*)`,
    String.raw`events/v1.Event\.deprecated.*`,
  ].join("|")})$`,
);

/** What a client may set on creation. */
function isSettable(field: FieldSchema): boolean {
  return field.name !== "status" && field.name !== "metadata";
}

function collectSchemas(schema: MessageSchema, schemas: Map<string, MessageSchema>): void {
  if (schemas.has(schema.name)) return;
  schemas.set(schema.name, schema);
  for (const field of schema.jsonFields.values()) {
    if (isSettable(field) && field.element.kind === "message") collectSchemas(field.element.message, schemas);
  }
}

function collectFields(schema: MessageSchema, value: Json, seen: Map<string, Set<string>>): void {
  const fields = seen.get(schema.name) ?? new Set();
  seen.set(schema.name, fields);
  for (const [name, member] of Object.entries(value)) {
    const field = schema.jsonFields.get(name);
    if (field === undefined || member === undefined) continue;
    fields.add(name);
    if (field.element.kind !== "message") continue;
    const { message } = field.element;
    const members = field.cardinality === "one" ? [member] : Object.values(member as object);
    for (const each of members) collectFields(message, each, seen);
  }
}
