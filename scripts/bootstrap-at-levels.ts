import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { localApiService, onStart } from "../src/aggregation/local-api-services.js";
import { type ApiLevel, apiLevels } from "../src/apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../src/apimachinery/schema/schema-registry.js";
import { resourcesOfLevel } from "../src/apis/builtin-resources.js";
import type { ResourceDefinition } from "../src/apis/definition/resource-definition.js";
import type { APIService } from "../src/apis/gen/apiregistration-v1.js";
import { typePackages } from "../src/apis/type-packages.js";
import { ClusterRoleAggregation } from "../src/controllers/cluster-role-aggregation.js";
import type { ControllerContext } from "../src/controllers/controller.js";
import { createIfMissing } from "../src/controllers/create-if-missing.js";
import { FlowControlObjects } from "../src/controllers/flow-control-objects.js";
import { Informers } from "../src/informers/informers.js";
import { createNaming, type Naming, type ProfileName } from "../src/naming/naming.js";
import { builtinRegistries } from "../src/registry/generic/builtin-registries.js";
import type { FieldTracking } from "../src/registry/generic/field-tracking.js";
import { createResourceCodec } from "../src/registry/generic/resource-codec.js";
import { ResourceRegistry } from "../src/registry/generic/resource-registry.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "../src/server/bootstrap/bootstrap.js";
import {
  autoUpdateAnnotation,
  bootstrapFlowControl,
  flowControlObjects,
} from "../src/server/bootstrap/bootstrap-flow-control.js";
import { type PreparedObject, secondsOf } from "../src/server/bootstrap/prepared-objects.js";
import { bootstrapRbac } from "../src/server/bootstrap-rbac/reconcile.js";
import { automanagedLabel, hasApiService } from "../src/server/composition/aggregation.js";
import { servedVersions } from "../src/server/endpoints/builtin-source.js";
import { fieldTrackingAt } from "../src/server/endpoints/field-tracking.js";
import { FeatureGates } from "../src/server/options/feature-gates.js";
import { RuntimeConfig } from "../src/server/options/runtime-config.js";
import { levelsOf } from "../src/server/settings/version.js";
import { type KeyValue, prefixEnd } from "../src/storage/kv.js";
import { createObjectStore } from "../src/storage/store/object-store.js";
import { MemoryStore } from "../src/storage/testing/memory-store.js";
import { LogLevels } from "../src/telemetry/log-levels.js";
import type { Logger } from "../src/telemetry/logger.js";
import { systemClock } from "../src/time/clock.js";

/** For the build. */
export { profileNames } from "../src/naming/naming.js";

/** Bytes that occur nowhere else in the objects. */
const seconds = 1_234_567_890;
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The objects that the bootstrap stores at each level. Objects that are equal at successive levels are kept once. */
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
  const definitions = definitionsAt(naming, gates, now);
  const registryOf = registriesOn(kv, definitions, fieldTrackingAt(naming, level));
  const work: Promise<unknown>[] = [];
  const context: ControllerContext = {
    builtin: builtinRegistries(registryOf, naming),
    registries: () => [],
    onRegistries: () => () => undefined,
    log: failing,
    clock: { ...systemClock, track: (each) => void work.push(each) },
    now,
    fieldManager: naming.commandName,
  };
  await bootstrapNamespaces(context, naming);
  await bootstrapPriorityClasses(context);
  await bootstrapFlowControl(context, naming, level);
  await bootstrapRbac(context, naming, gates);
  for (const service of localApiServices(naming, gates, definitions)) {
    await createIfMissing(context, "apiservices.apiregistration", "", service);
  }
  await completeByControllers(context, naming, level, work);
  return (await kv.range({ start: "/", end: prefixEnd("/") })).kvs;
}

/** Adds what the server's own controllers would write at once: the status of flow schemas, and the rules of aggregated roles. */
async function completeByControllers(
  context: ControllerContext,
  naming: Naming,
  level: ApiLevel,
  work: readonly Promise<unknown>[],
): Promise<void> {
  const informers = new Informers();
  const schemas = informers.add({
    source: () => context.builtin("flowschemas.flowcontrol.apiserver"),
    view: (stored) => stored.decode(),
  });
  const levels = informers.add({
    source: () => context.builtin("prioritylevelconfigurations.flowcontrol.apiserver"),
    view: (stored) => stored.decode(),
  });
  const flowControl = flowControlObjects(naming, level);
  const controllers = [
    informers,
    new FlowControlObjects({
      context,
      level,
      schemas,
      levels,
      bootstrapSchemas: flowControl.schemas,
      bootstrapLevels: flowControl.levels,
      autoUpdateAnnotation: autoUpdateAnnotation(naming),
    }),
    new ClusterRoleAggregation(context),
  ];
  for (const controller of controllers) await controller.start();
  let done: number;
  do {
    done = work.length;
    await Promise.all(work);
    // The events of these writes may cause further writes.
    await setTimeout(10);
  } while (work.length > done);
  for (const controller of controllers.reverse()) await controller.stop();
}

/** A failure of a controller fails the build, because the object would be incomplete. */
const failing: Logger = {
  levels: new LogLevels(0),
  info: () => undefined,
  warn: fail,
  error: fail,
  verbose: (_at, message, values) => fail(message, values),
};

function fail(message: string, cause: unknown): never {
  throw new Error(message, { cause });
}

/** The built-in kinds of a server with default options. */
function definitionsAt(naming: Naming, gates: FeatureGates, now: () => Date): readonly ResourceDefinition[] {
  const { level } = gates;
  const { known } = resourcesOfLevel({
    naming,
    level,
    oldestLevel: levelsOf({ apiLevel: level, emulatedVersion: undefined, minCompatibilityVersion: undefined })
      .oldest,
    schemas: new SchemaRegistry(typePackages, { level, fieldName: (neutral) => naming.field(neutral) }),
    isEnabled: gates.isEnabled,
    options: { allowPrivileged: true, eventTtlSeconds: 3600, serviceIpFamilies: ["IPv4"] },
    now,
  });
  return known;
}

/** The registries of these kinds, by group and resource, without the hooks that only refuse. */
function registriesOn(
  kv: MemoryStore,
  definitions: readonly ResourceDefinition[],
  fieldTracking: FieldTracking,
): (group: string, resource: string) => ResourceRegistry {
  const random = { uid: () => randomUUID(), nameSuffix: () => "" };
  return (group, resource) => {
    const definition = definitions.find((each) => each.group === group && each.resource === resource);
    if (definition?.storage === undefined) throw new Error(`${resource}.${group} is not stored`);
    const codec = createResourceCodec(definition, "protobuf");
    const store = createObjectStore({ kv, prefix: `${definition.storage.prefix}/`, codec });
    return new ResourceRegistry({ definition, store, codec, random, fieldTracking });
  };
}

/** The API services of the versions that are served by default. */
function localApiServices(
  naming: Naming,
  gates: FeatureGates,
  definitions: readonly ResourceDefinition[],
): readonly APIService[] {
  const runtimeConfig = new RuntimeConfig(new Map());
  const labels = { [automanagedLabel(naming)]: onStart };
  const services = servedVersions({ naming, level: gates.level, gates, definitions, runtimeConfig })
    .filter(({ definition: { group } }) => hasApiService(naming, group))
    .flatMap(({ definition: { group }, served }) =>
      served.map(({ version: { version }, priority }) =>
        localApiService({ group, version, priority, labels }),
      ),
    );
  return [...new Map(services.map((service) => [service.metadata.name, service])).values()];
}
