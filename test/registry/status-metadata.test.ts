import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAtLeast } from "../../src/apimachinery/levels/api-level.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { allStoredKinds, collectionOf, servingEverything } from "../support/stored-kinds.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Kinds whose labels a write of the status may change, in Kubernetes; the other kinds keep all metadata. */
const takesLabels = new Set([
  "certificatesigningrequests.certificates",
  "cronjobs.batch",
  "customresourcedefinitions.apiextensions",
  "daemonsets.apps",
  "horizontalpodautoscalers.autoscaling",
  "ingresses.networking",
  "jobs.batch",
  "namespaces",
  "networkpolicies.networking",
  "nodes",
  "persistentvolumeclaims",
  "persistentvolumes",
  "poddisruptionbudgets.policy",
  "pods",
  "replicasets.apps",
  "replicationcontrollers",
  "resourcequotas",
  "services",
  "statefulsets.apps",
]);

const until130 = new Set(["podschedulingcontexts.resource", "resourceclaims.resource"]);
const until132 = new Set(["servicecidrs.networking"]);

/** Has a status that is not complete without this. */
const completeStatus = { "storageversionmigrations.storagemigration": { resourceVersion: "1" } };

describe.each(["1.23", "1.27", "1.30", "1.36"] as const)("at %s", async (level) => {
  const context = testApiContext({ level });
  const objects = await minimalObjects(context.naming, level);
  const kinds = allStoredKinds(context).filter(({ definition }) =>
    definition.subresources.some(({ name }) => name === "status"),
  );
  let ground: ApiGround;

  beforeAll(async () => {
    ground = await openApiGround(servingEverything(context));
  });
  afterAll(() => ground.dispose());

  test.each(kinds)("labels in the status of $name", async ({ definition, versions, name }) => {
    const given = objects[name];
    const metadata = { name: "labelled", ...(given?.metadata as object | undefined) };
    const collection = collectionOf(definition, versions[0]?.version ?? "");
    const created = await ground.api.post(collection, { ...given, metadata });
    expect(created.code, JSON.stringify(created.body)).toBe(201);
    const status = { ...completeStatus }[name];
    const written = await ground.api.mergePatch(`${collection}/${metadata.name}/status`, {
      metadata: { labels: { by: "status" } },
      ...(status && { status }),
    });
    expect(written.code, JSON.stringify(written.body)).toBe(200);
    const takes =
      takesLabels.has(name) ||
      (until130.has(name) && !isAtLeast(level, "1.30")) ||
      (until132.has(name) && !isAtLeast(level, "1.32"));
    expect(written.body.metadata.labels?.by).toBe(takes ? "status" : undefined);
  });

  test("who writes the status of an API service owns no label, and so is in nobody's way", async () => {
    const group = context.naming.group("apiregistration");
    const services = `/apis/${group}/v1/apiservices`;
    const service = (labels: object, rest: object): object => ({
      apiVersion: `${group}/v1`,
      kind: "APIService",
      metadata: { name: "v1.example.com", labels },
      ...rest,
    });
    const spec = { group: "example.com", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 };
    await ground.api.apply(`${services}/v1.example.com?fieldManager=a`, service({ a: "b" }, { spec }));
    const status = { conditions: [{ type: "Tested", status: "True" }] };
    const { code, body } = await ground.api.apply(
      `${services}/v1.example.com/status?fieldManager=b`,
      service({ a: "c" }, { status }),
    );
    expect(code, JSON.stringify(body)).toBe(200);
    const entry = body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === "b");
    expect(Object.keys(entry.fieldsV1)).toEqual(["f:status"]);
  });
});
