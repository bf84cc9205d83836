import { StatusError } from "../../../../apimachinery/errors/status.js";
import type { JsonObject } from "../../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../../apimachinery/levels/api-level.js";
import { decodeEnvelope } from "../../../../apimachinery/schema/envelope.js";
import { ipRules } from "../../../../apis/checks/ip-rules.js";
import { services } from "../../../../apis/core/service/resource.js";
import { convertToHub } from "../../../../apis/definition/resource-definition.js";
import type { RangeAllocation, Service } from "../../../../apis/gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../../../apis/testing/api-context.js";
import { createObjectStore } from "../../../../storage/store/object-store.js";
import { MemoryStore } from "../../../../storage/testing/memory-store.js";
import { LogLevels } from "../../../../telemetry/log-levels.js";
import { createLogger } from "../../../../telemetry/logger.js";
import { ManualClock } from "../../../../time/manual-clock.js";
import type { RegistryContext } from "../../../generic/registry-context.js";
import { createResourceCodec } from "../../../generic/resource-codec.js";
import { ResourceRegistry } from "../../../generic/resource-registry.js";
import { createVersionedView } from "../../../generic/versioned-view.js";
import type { RangeUsage } from "../cluster-ip-allocator.js";
import { createServiceAllocation } from "../service-allocation.js";

export interface ServiceGroundChoices {
  /** Default: the oldest. */
  readonly level?: ApiLevel;
  /** Default: one IPv4 network of eight addresses. */
  readonly ranges?: readonly string[];
  readonly kv?: MemoryStore;
  /** Default: false, other servers may write to the store. */
  readonly isOnlyWriter?: boolean;
  readonly nodePorts?: { readonly min: number; readonly max: number };
  /** Default: no range has one. */
  readonly staticBands?: { readonly clusterIps: boolean; readonly nodePorts: boolean };
}

/** A registry of services with their allocators over a store in memory; every "random" choice is the lowest. */
export async function createServiceGround(choices: ServiceGroundChoices = {}) {
  const kv = choices.kv ?? new MemoryStore();
  const clock = new ManualClock();
  const lines: string[] = [];
  const findings: string[] = [];
  const deletedEndpoints: string[] = [];
  const counts = { allocated: 0, failed: 0 };
  let usage: () => RangeUsage | undefined = () => undefined;
  const api = testApiContext({
    gates: { MixedProtocolLBService: false },
    ...(choices.level !== undefined && { level: choices.level }),
  });
  const definition = services(api);
  const version = definition.versions[0];
  if (version === undefined) throw new Error("services have no version");
  const view = createVersionedView(definition, version);
  const codec = createResourceCodec(definition, "protobuf");
  const store = createObjectStore<Service>({ kv, prefix: "/registry/services/specs/", codec });
  const allocation = createServiceAllocation({
    kv,
    storePrefix: "/registry",
    codec: api.schemas.codec<RangeAllocation>("core/v1.RangeAllocation"),
    mediaType: "protobuf",
    clusterIpRanges: choices.ranges ?? ["10.0.0.0/29"],
    nodePortRange: choices.nodePorts ?? { min: 30_000, max: 30_007 },
    ipRules: ipRules(api),
    staticBands: choices.staticBands ?? { clusterIps: false, nodePorts: false },
    random: () => 0,
    isOnlyWriter: choices.isOnlyWriter ?? false,
    clock,
    log: createLogger({
      levels: new LogLevels(0),
      write: (line) => lines.push(line),
      now: () => new Date(0),
    }),
    observeClusterIps: () => ({
      allocated: () => void counts.allocated++,
      failed: () => void counts.failed++,
      follow: (ofRange) => {
        usage = ofRange;
      },
    }),
    async listServices() {
      const { items } = await store.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
      return items.map((item) => item.decode());
    },
    async deleteEndpoints(namespace, name) {
      deletedEndpoints.push(`${namespace}/${name}`);
    },
    onFinding: ({ reason, message }) => findings.push(`${reason}: ${message}`),
  });
  let uid = 0;
  const registry = new ResourceRegistry<Service>({
    definition,
    store,
    codec,
    random: { uid: () => `uid-${++uid}`, nameSuffix: () => "abcde" },
    hooks: allocation.hooks,
  });
  const contextOf = (dryRun: boolean): RegistryContext => ({
    ...testWriteContext({ dryRun }),
    signal: new AbortController().signal,
    warn() {},
  });
  const read = (json: JsonObject): Service => convertToHub(view.version, view.fromJson(json));
  const noCheck = async (): Promise<void> => {};

  return {
    kv,
    clock,
    lines,
    findings,
    deletedEndpoints,
    /** Metrics of the last range. */
    clusterIpFigures: () => ({ ...counts, usage: usage() }),
    allocation,
    registry,
    store,
    /** `spec` of a new service; a port 80 is added unless it has ports. */
    async create(name: string, spec: JsonObject = {}, dryRun = false): Promise<Service> {
      const object = read({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
      return (await registry.create(contextOf(dryRun), object)).decode();
    },
    async update(name: string, change: (object: Service) => void, dryRun = false): Promise<Service> {
      const written = await registry.update(contextOf(dryRun), name, {
        async transform(current) {
          if (current === undefined) throw new Error(`no service ${name}`);
          const object = current.copy();
          change(object);
          return object;
        },
        validate: noCheck,
      });
      return written.stored.decode();
    },
    /** Like a client that sends its original manifest again. */
    async replace(name: string, spec: JsonObject): Promise<Service> {
      const written = await registry.update(contextOf(false), name, {
        transform: async () => read({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }),
        validate: noCheck,
      });
      return written.stored.decode();
    },
    async remove(name: string, dryRun = false): Promise<void> {
      await registry.delete(contextOf(dryRun), name, {});
    },
    /** The stored allocations as bits, the lowest last. */
    async taken(range: "serviceips" | "secondaryserviceips" | "servicenodeports"): Promise<string> {
      const { kvs } = await kv.range({ start: `/registry/ranges/${range}` });
      const codecOfRange = api.schemas.codec<RangeAllocation>("core/v1.RangeAllocation");
      const [stored] = kvs;
      if (stored === undefined) return "none";
      const { data = "" } = codecOfRange.fromProto(decodeEnvelope(stored.value).raw);
      return BigInt(`0x0${Buffer.from(data, "base64").toString("hex")}`).toString(2);
    },
  };
}

/** The text of a refusal. */
export async function refusal(write: Promise<unknown>): Promise<string> {
  try {
    await write;
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "accepted";
}
