import { randomUUID } from "node:crypto";
import { type ApiLevel, apiLevels } from "../src/apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../src/apimachinery/schema/schema-registry.js";
import { resourcesOfLevel } from "../src/apis/builtin-resources.js";
import { typePackages } from "../src/apis/type-packages.js";
import { createNaming, type Naming, type ProfileName } from "../src/naming/naming.js";
import { builtinRegistries } from "../src/registry/generic/builtin-registries.js";
import { createResourceCodec } from "../src/registry/generic/resource-codec.js";
import { ResourceRegistry } from "../src/registry/generic/resource-registry.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "../src/server/bootstrap/bootstrap.js";
import { bootstrapFlowControl } from "../src/server/bootstrap/bootstrap-flow-control.js";
import { type PreparedObject, secondsOf } from "../src/server/bootstrap/prepared-objects.js";
import { bootstrapRbac } from "../src/server/bootstrap-rbac/reconcile.js";
import { fieldTrackingAt } from "../src/server/composition/field-tracking.js";
import { FeatureGates } from "../src/server/options/feature-gates.js";
import { levelsOf } from "../src/server/settings/version.js";
import { type KeyValue, prefixEnd } from "../src/storage/kv.js";
import { createObjectStore } from "../src/storage/store/object-store.js";
import { MemoryStore } from "../src/storage/testing/memory-store.js";

/** For the build. */
export { profileNames } from "../src/naming/naming.js";

/** Bytes that nothing else in the objects has. */
const seconds = 1_234_567_890;
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What the bootstrap stores at each level, once where levels have the same. */
export async function prepareObjects(profile: ProfileName): Promise<readonly PreparedObject[]> {
  const naming = createNaming(profile);
  const prepared: Prepared[] = [];
  const latest = new Map<string, Prepared>();
  for (const level of apiLevels) {
    const stored = await bootstrapAt(naming, level);
    for (const [key, object] of latest) {
      if (stored.some((kv) => kv.key === key)) continue;
      object.until = level;
      latest.delete(key);
    }
    for (const { key, value } of stored) {
      const object: Prepared = {
        key,
        since: level,
        until: undefined,
        ...withPlaces(key, Buffer.from(value)),
      };
      const before = latest.get(key);
      if (before?.value === object.value) continue;
      if (before !== undefined) before.until = level;
      prepared.push(object);
      latest.set(key, object);
    }
  }
  return prepared;
}

interface Prepared extends PreparedObject {
  until: ApiLevel | undefined;
}

function withPlaces(key: string, bytes: Buffer): Pick<PreparedObject, "value" | "uidAt" | "timesAt"> {
  const [uid, ...others] = bytes.toString("latin1").matchAll(uuid);
  if (uid === undefined || others.length > 0) throw new Error(`${key} does not have one uid`);
  bytes.fill("0", uid.index, uid.index + uid[0].length);
  const timesAt: number[] = [];
  const time = secondsOf(seconds);
  for (let at = bytes.indexOf(time); at >= 0; at = bytes.indexOf(time, at + 1)) timesAt.push(at);
  if (timesAt.length === 0) throw new Error(`${key} has no time`);
  return { value: bytes.toString("base64"), uidAt: uid.index, timesAt };
}

async function bootstrapAt(naming: Naming, level: ApiLevel): Promise<readonly KeyValue[]> {
  const gates = new FeatureGates(new Map(), level);
  const kv = new MemoryStore();
  const now = () => new Date(seconds * 1000);
  const registryOf = registriesAt(naming, gates, kv, now);
  const context = { builtin: builtinRegistries(registryOf, naming), now, fieldManager: naming.commandName };
  await bootstrapNamespaces(context, naming);
  await bootstrapPriorityClasses(context);
  await bootstrapFlowControl(context, naming, level);
  await bootstrapRbac(context, naming, gates);
  return (await kv.range({ start: "/", end: prefixEnd("/") })).kvs;
}

/** The registries of the built-in kinds, by group and name, as a server with default options has them, without those hooks that only say no. */
function registriesAt(
  naming: Naming,
  gates: FeatureGates,
  kv: MemoryStore,
  now: () => Date,
): (group: string, resource: string) => ResourceRegistry {
  const { level } = gates;
  const { known } = resourcesOfLevel({
    naming,
    level,
    oldestLevel: levelsOf({ apiLevel: level, emulatedVersion: undefined, minCompatibilityVersion: undefined })
      .oldest,
    schemas: new SchemaRegistry(typePackages, { level, fieldName: (neutral) => naming.field(neutral) }),
    isEnabled: (gate) => gates.enabled(gate),
    options: { allowPrivileged: true, eventTtlSeconds: 3600, serviceIpFamilies: ["IPv4"] },
    now,
  });
  const fieldTracking = fieldTrackingAt(naming, level);
  const random = { uid: () => randomUUID(), nameSuffix: () => "" };
  return (group, resource) => {
    const definition = known.find((each) => each.group === group && each.resource === resource);
    if (definition?.storage === undefined) throw new Error(`${resource}.${group} is not stored`);
    const codec = createResourceCodec(definition, "protobuf");
    const store = createObjectStore({ kv, prefix: `${definition.storage.prefix}/`, codec });
    return new ResourceRegistry({ definition, store, codec, random, fieldTracking });
  };
}
