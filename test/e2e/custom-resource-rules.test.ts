import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = "/apis/example.com/v1/namespaces/default/boats";
const rules = (...all: readonly object[]) => ({ "x-kubernetes-validations": all });

/** Boats that never lose sails, and whose crew has a captain. */
function ruledDefinition() {
  const { spec, status } = boatVersion.schema.openAPIV3Schema.properties;
  const { sails, colour, crew } = spec.properties;
  const schema = {
    ...boatVersion.schema.openAPIV3Schema,
    properties: {
      spec: {
        ...spec,
        ...rules({ rule: "self.sails < 10 || self.colour == 'red'", message: "large boats are red" }),
        properties: {
          colour,
          sails: {
            ...sails,
            ...rules({ rule: "self >= oldSelf", messageExpression: "string(oldSelf)" }),
          },
          crew: {
            ...crew,
            maxItems: 50,
            ...rules({
              rule: "self.exists_one(m, has(m.rank) && m.rank == 'captain')",
              reason: "FieldValueRequired",
            }),
          },
        },
      },
      status: { ...status, ...rules({ rule: "!has(self.sails) || self.sails <= 100" }) },
    },
  };
  return boatDefinition({ versions: [{ ...boatVersion, schema: { openAPIV3Schema: schema } }] });
}

const servers: ServerHere[] = [];
let api: ApiClient;

async function serve(args: readonly string[], dataDirectory?: string): Promise<void> {
  const server = await startServerHere({ args, ...(dataDirectory !== undefined && { dataDirectory }) });
  servers.push(server);
  api = new ApiClient(server);
}

/** The last level at which rules can be switched off. */
const level = "--api-level=1.28";
const gate = "--feature-gates=CustomResourceValidationExpressions=";

async function defined(): Promise<void> {
  await vi.waitFor(async () => expect((await api.get(boats)).status).toBe(200), 60_000);
}

beforeAll(async () => {
  await serve([level, `${gate}true`]);
  expect(await api.post(definitions, ruledDefinition())).toMatchObject({ status: 201 });
  await defined();
});

afterAll(async () => {
  await api.close();
  await disposeAll(servers);
});

const captain = [{ name: "ann", rank: "captain" }];

describe("rules", () => {
  test("are checked on create, update, patch, apply and status", async () => {
    const refused = await api.post(
      boats,
      boat("large", { sails: 12, colour: "blue", crew: [{ name: "bob" }] }),
    );
    expect(refused.status).toBe(422);
    expect(refused.body.details.causes).toEqual([
      { reason: "FieldValueInvalid", field: "spec", message: 'Invalid value: "object": large boats are red' },
      {
        reason: "FieldValueRequired",
        field: "spec.crew",
        message: "Required value: failed rule: self.exists_one(m, has(m.rank) && m.rank == 'captain')",
      },
    ]);
    expect((await api.post(boats, boat("one", { sails: 3, crew: captain }))).status).toBe(201);
    const merge = "application/merge-patch+json";
    const fewer = await api.patch(`${boats}/one`, merge, { spec: { sails: 2 } });
    expect(fewer.body.message).toContain('spec.sails: Invalid value: "integer": 3');
    expect((await api.patch(`${boats}/one`, merge, { spec: { sails: 4 } })).status).toBe(200);
    const put = await api.put(`${boats}/one`, {
      ...(await api.get(`${boats}/one`)).body,
      spec: { sails: 1 },
    });
    expect(put.status).toBe(422);
    const applied = await api.patch(
      `${boats}/one?fieldManager=a&force=true`,
      "application/apply-patch+yaml",
      boat("one", { sails: 1 }),
    );
    expect(applied.body.message).toContain('spec.sails: Invalid value: "integer": 4');
    const status = await api.patch(`${boats}/one/status`, merge, { status: { sails: 101 } });
    expect(status.body.message).toContain('status: Invalid value: "object": failed rule: !has(self.sails)');
    expect((await api.patch(`${boats}/one/status`, merge, { status: { sails: 100 } })).status).toBe(200);
  });

  test("are not checked while the schema forbids the object", async () => {
    const refused = await api.post(boats, boat("bad", { sails: "many", colour: "blue" }));
    expect(refused.body.message).toMatch(
      /\.spec\.sails accessor error: .*some validation rules were not checked because the object was invalid/,
    );
    expect(refused.body.message).not.toContain("large boats are red");
  });

  test("that do not compile, or cost too much, are refused with their definition", async () => {
    const withRule = (rule: string) => ({
      ...boatDefinition({
        group: "other.example.com",
        versions: [
          {
            ...boatVersion,
            subresources: {},
            selectableFields: undefined,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "array", items: { type: "string" }, ...rules({ rule }) } },
              },
            },
          },
        ],
      }),
    });
    const wrong = await api.post(definitions, withRule("self.all(x, x > 1)"));
    expect(wrong.status).toBe(422);
    expect(wrong.body.details.causes[0]).toMatchObject({
      field: "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule",
      message: expect.stringContaining("found no matching overload for '_>_' applied to '(string, int)'"),
    });
    const hostile = await api.post(
      definitions,
      withRule("self.all(a, self.all(b, self.all(c, a + b != c)))"),
    );
    expect(hostile.body.message).toContain("estimated rule cost exceeds budget by factor of more than 100x");
  });

  test("stay where they are when the gate is off, and are not checked", async () => {
    const [first] = servers;
    await api.close();
    await first?.stop();
    await serve([level, `${gate}false`], first?.dataDirectory ?? "");
    await defined();
    expect((await api.post(boats, boat("free", { sails: 12, colour: "blue" }))).status).toBe(201);
    const stored = (await api.get(`${definitions}/boats.example.com`)).body;
    expect(JSON.stringify(stored.spec)).toContain("large boats are red");
    stored.metadata.labels = { changed: "true" };
    expect(JSON.stringify((await api.put(`${definitions}/boats.example.com`, stored)).body.spec)).toContain(
      "large boats are red",
    );
  });
});

describe("at 1.35", () => {
  test("rules are on, have the libraries of the level, and updates may keep what was invalid before", async () => {
    const server = await startServerHere({ args: ["--api-level=1.35"] });
    servers.push(server);
    const client = new ApiClient(server);
    const withRules = (...all: readonly object[]) => {
      const schema = boatVersion.schema.openAPIV3Schema;
      const { spec } = schema.properties;
      const properties = { ...schema.properties, spec: { ...spec, ...rules(...all) } };
      return boatDefinition({
        versions: [{ ...boatVersion, schema: { openAPIV3Schema: { ...schema, properties } } }],
      });
    };
    const semver = { rule: "semver('1.2.3').minor() == 2 && [1, 2].all(i, v, v > i)" };
    expect((await client.post(definitions, withRules(semver))).status).toBe(201);
    await vi.waitFor(async () => expect((await client.get(boats)).status).toBe(200), 60_000);
    expect((await client.post(boats, boat("one", { sails: 3 }))).status).toBe(201);

    const path = `${definitions}/boats.example.com`;
    const { metadata } = (await client.get(path)).body;
    const stricter = { ...withRules({ rule: "self.sails > 5", message: "more sails" }), metadata };
    expect((await client.put(path, stricter)).status).toBe(200);
    await vi.waitFor(
      async () => expect((await client.post(boats, boat("two", { sails: 3 }))).status).toBe(422),
      30_000,
    );
    const merge = "application/merge-patch+json";
    const labelled = await client.patch(`${boats}/one`, merge, { metadata: { labels: { a: "b" } } });
    expect(labelled.status).toBe(200);
    expect(labelled.headers.warning).toBe('299 - "spec: Invalid value: more sails"');
    const changed = await client.patch(`${boats}/one`, merge, { spec: { sails: 4 } });
    expect(changed.body.message).toContain("more sails");
    await client.close();
  });
});
