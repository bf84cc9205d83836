import { afterAll, beforeAll, describe } from "vitest";
import type { ApiContext } from "../../src/apis/definition/api-context.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { minimalObjects, type ObjectParts } from "../support/minimal-objects.js";
import { allStoredKinds, type StoredKind, servingEverything } from "../support/stored-kinds.js";
import type { ApiCaller, Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";
import { type ResourceSubject, resourceSuite } from "./resource-suite.js";

/** Kinds whose updates must name the version that they replace, in Kubernetes. */
const updatesNameVersion = new Set([
  "apiservices.apiregistration",
  "clustertrustbundles.certificates",
  "csidrivers.storage",
  "csinodes.storage",
  "csistoragecapacities.storage",
  "customresourcedefinitions.apiextensions",
  "leasecandidates.coordination",
  "leases.coordination",
  "mutatingadmissionpolicies.admissionregistration",
  "mutatingadmissionpolicybindings.admissionregistration",
  "mutatingwebhookconfigurations.admissionregistration",
  "podcertificaterequests.certificates",
  "poddisruptionbudgets.policy",
  "resourcepoolstatusrequests.resource",
  "runtimeclasses.node",
  "storageversionmigrations.storagemigration",
  "storageversions.internal",
  "validatingadmissionpolicies.admissionregistration",
  "validatingadmissionpolicybindings.admissionregistration",
  "validatingwebhookconfigurations.admissionregistration",
  "volumeattachments.storage",
]);

/** Kinds that an update creates, in Kubernetes. */
const createdByUpdate = new Set([
  "clusterrolebindings.rbac",
  "clusterroles.rbac",
  "endpoints",
  "events",
  "events.events",
  "leasecandidates.coordination",
  "leases.coordination",
  "limitranges",
  "rolebindings.rbac",
  "roles.rbac",
  "runtimeclasses.node",
  "services",
]);

/** Any level can stand here. The oldest and the one that most clients have try all of their kinds, others what these lack. */
const levels = ["1.23", "1.35", "1.26", "1.28", "1.30", "1.36"] as const;
const tried = new Set<string>();

/** Each kind, unless another level has tried it in the same version. */
function kindsToTry(context: ApiContext): readonly StoredKind[] {
  return allStoredKinds(context).filter(({ name, versions }) => {
    const trial = `${name} ${versions[0]?.version}`;
    const isNew = !tried.has(trial);
    tried.add(trial);
    return isNew || context.level === "1.35";
  });
}

describe.each(levels)("level %s", async (level) => {
  const context = testApiContext({ level });
  const objects = await minimalObjects(context.naming, level);
  let ground: ApiGround;

  beforeAll(async () => {
    ground = await openApiGround(servingEverything(context));
  });
  afterAll(async () => {
    await ground.dispose();
  });

  describe.each(kindsToTry(context))("$name", (kind) => {
    resourceSuite(() => ground, subjectOf(kind, objects));
  });
});

function subjectOf(
  { definition, versions, name }: StoredKind,
  objects: Readonly<Record<string, ObjectParts>>,
): ResourceSubject {
  const { group, resource, kind, namespaced } = definition;
  const [version = "", ...otherVersions] = versions.map((each) => each.version);
  const given = objects[name] ?? {};
  const make = makers[name] ?? makeNumbered;
  return {
    group,
    version,
    resource,
    kind,
    namespaced,
    otherVersions,
    make: (number, namespace) => make(given, number, namespace),
    hasOwnNames: name in namedByParts,
    needsName: name !== "limitranges",
    deletesCollections: name !== "namespaces",
    updatesAnyVersion: !updatesNameVersion.has(name),
    level: definition.level,
    createsByUpdate: createdByUpdate.has(name),
    mergesStrategically: true,
    release: releases[name],
  };
}

type Make = (given: ObjectParts, number: number, namespace: string) => Json;

function makeNumbered(given: ObjectParts, number: number): Json {
  const { metadata, ...rest }: Json = structuredClone(given);
  return { ...rest, metadata: { ...metadata, name: `numbered-${number}` } };
}

/** Kinds whose names follow from their spec, or cannot be any. */
const namedByParts: Readonly<Record<string, Make>> = {
  "apiservices.apiregistration": (given, number) => {
    const object = makeNumbered(given, number);
    const group = `group${number}.example.org`;
    return { ...object, metadata: { name: `v1.${group}` }, spec: { ...object.spec, group } };
  },
  "customresourcedefinitions.apiextensions": (given, number) => {
    const object = makeNumbered(given, number);
    const names = { plural: `things${number}`, kind: `Thing${number}` };
    const metadata = { name: `${names.plural}.${object.spec.group}` };
    return { ...object, metadata, spec: { ...object.spec, names } };
  },
  "storageversions.internal": (given, number) => ({
    ...makeNumbered(given, number),
    metadata: { name: `example.org.things${number}` },
  }),
  "ipaddresses.networking": (given, number) => ({
    ...makeNumbered(given, number),
    metadata: { name: `198.51.${100 + (number >> 8)}.${number & 255}` },
  }),
};

const makers: Readonly<Record<string, Make>> = {
  ...namedByParts,
  events: (given, number, namespace) => {
    const object = makeNumbered(given, number);
    return { ...object, involvedObject: { ...object.involvedObject, namespace } };
  },
  "events.events": (given, number, namespace) => {
    const object = makeNumbered(given, number);
    return { ...object, regarding: { ...object.regarding, namespace } };
  },
};

const releases: Readonly<Record<string, (api: ApiCaller, path: string) => Promise<void>>> = {
  "customresourcedefinitions.apiextensions": removeFinalizers,
  "podgroups.scheduling": removeFinalizers,
  namespaces: async (api, path) => {
    const { code, body } = await api.get(path);
    if (code === 200) await api.put(`${path}/finalize`, { ...body, spec: { finalizers: [] } });
  },
};

async function removeFinalizers(api: ApiCaller, path: string): Promise<void> {
  await api.mergePatch(path, { metadata: { finalizers: null } });
}
