import { badRequest } from "../../apimachinery/errors/status.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { serverWrite } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { FaultEngine } from "../../lab/faults/fault-engine.js";
import type { FaultTarget } from "../../lab/faults/fault-rule.js";
import type { StoredPlace } from "../../lab/history/object-history.js";
import type { Lab, LabParts } from "../../lab/lab.js";
import { labGroup } from "../../naming/naming.js";
import { keyOf } from "../../registry/generic/resource-key.js";
import { requestInfoOf } from "../../serving/request/request-info.js";
import { prefixEnd, toRevision } from "../../storage/kv.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { Closing } from "../lifecycle/closing.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import type { Stores } from "../stores/open-store.js";

export interface LabComposition extends ApiServerParts {
  readonly stores: Stores;
  readonly identity: ServerIdentity;
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  readonly metrics: Metrics;
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  readonly closing: Closing;
}

export interface ComposedLab {
  readonly lab: Lab;
  /** Serves the lab's kinds. */
  readonly controller: Controller;
}

/** The parts of `--lab`, loaded only with it. */
export async function createLab(parts: LabComposition): Promise<ComposedLab | undefined> {
  const { options, clock, naming, held, faults, log, closing, stores, catalog, context, schemas, yaml } =
    parts;
  if (!options.lab) return undefined;
  const [{ Lab: Made }, { MovableClock }, { LabKinds }, { BodyReader }] = await Promise.all([
    import("../../lab/lab.js"),
    import("../../time/movable-clock.js"),
    import("../../lab/lab-kinds.js"),
    import("../../lab/recording/body-reader.js"),
  ]);
  if (!(clock instanceof MovableClock) || held === undefined || faults === undefined) {
    throw new Error("a lab has a clock that can be moved, holds revisions and has faults");
  }
  reportHits(faults, parts);
  faults.labelsBy(async (target) => labelsOf(catalog, target));
  const lab = new Made({
    clock,
    faults,
    storm: options.labStorm,
    group: labGroup,
    stale: {
      async revisionAgo(by) {
        const { revision, compactedRevision } = await stores.kv.status();
        return toRevision(Math.max(1, compactedRevision, revision - by));
      },
    },
    bodies: new BodyReader({ schemas, yaml, groupStem: (group) => naming.groupStem(group) }),
    placeOf: (path) => placeOf(catalog, stores, path),
    snapshots: { ...snapshotsOf(parts), held },
  });
  closing.add(() => lab.recorder.close());
  const controller = new LabKinds({
    group: labGroup,
    context,
    write: () => serverWrite(context, ""),
    engine: faults,
    onFailure: (reason) => log.warn("the status of a fault could not be written", { reason: String(reason) }),
  });
  return { lab, controller };
}

/** Counts and logs each hit of a fault. */
function reportHits(faults: FaultEngine, { metrics, log }: LabComposition): void {
  const hits = metrics.counter({
    name: "apiserver_lab_faults_total",
    help: "Requests and webhook calls that a fault of the lab has hit, by the rule.",
    labels: ["fault"],
  });
  faults.onHit((rule, target) => {
    hits.with(rule.name).value++;
    log.info("a fault was injected", {
      fault: rule.name,
      ...("webhook" in target ? target : saidOf(target)),
    });
  });
}

/** What a snapshot contains: everything but the objects by which this server announces itself. */
function snapshotsOf({
  options,
  naming,
  stores,
  identity,
}: LabComposition): Omit<LabParts["snapshots"], "held"> {
  const start = stores.path("/");
  const addresses = stores.path("/masterleases/");
  const lease = stores.path(`/leases/${naming.systemNamespace}/${identity.name}`);
  return {
    store: stores.kv,
    range: { start, end: prefixEnd(start) },
    isKept: (key) => key === lease || key.startsWith(addresses),
    leaseSeconds: Math.ceil(options.eventTtlMs / 1000),
  };
}

/** The request that was hit, for the log. */
function saidOf({ mayBeOld: _, ...said }: FaultTarget): Omit<FaultTarget, "mayBeOld"> {
  return said;
}

async function labelsOf(
  catalog: LiveCatalog,
  {
    group,
    resource,
    namespace,
    name,
  }: Pick<RequestInfo, "resource" | "namespace" | "name"> & { readonly group: string },
): Promise<Readonly<Record<string, string>> | undefined> {
  const [plain = ""] = resource.split("/", 1);
  const registry = catalog.handle(group, plain)?.registry;
  if (registry === undefined || name === "") return undefined;
  return (await registry.find(namespace, name, { kind: "any" }))?.labels;
}

/** The object at a path, in the main store. */
function placeOf(catalog: LiveCatalog, stores: Stores, path: string): StoredPlace {
  const info = requestInfoOf("GET", path, new URLSearchParams());
  const { apiGroup, resource, namespace, name } = info;
  const registry = catalog.handle(apiGroup, resource)?.registry;
  const storage = registry?.definition.storage;
  if (!info.isResourceRequest || name === "" || registry === undefined || storage === undefined) {
    throw badRequest(`not the path of an object: ${JSON.stringify(path)}`);
  }
  const key = keyOf(registry.definition, { namespace, name });
  const { codec } = hubVersion(registry.definition);
  return {
    key: stores.path(`${storage.prefix}/${key}`),
    name,
    async at(revision) {
      const { items } = await registry.list({ prefix: key, at: { kind: "exact", revision }, limit: 0 });
      const stored = items.find((item) => item.key === key);
      const json: JsonValue = stored === undefined ? null : JSON.parse(codec.toJson(stored.decode()));
      return isJsonObject(json) ? json : undefined;
    },
  };
}
