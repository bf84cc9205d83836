import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { customScaleColumns, scaleColumns } from "../../apis/autoscaling/scale/columns.js";
import type { Scale } from "../../apis/gen/autoscaling-v1.js";
import type { DeleteOptions } from "../../apis/gen/meta-v1.js";
import { BodyParser } from "../../endpoints/bodies/parse-body.js";
import type { InitialEvents } from "../../endpoints/resource/initial-events.js";
import { createKindView } from "../../endpoints/resource/kind-view.js";
import type { EndpointSettings } from "../../endpoints/resource/resource-endpoint.js";
import { scaleKind } from "../../endpoints/writes/scale.js";
import type { Naming } from "../../naming/naming.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { shardMetrics } from "../metrics/shard-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import { fieldTrackingAt } from "./field-tracking.js";

/** The options that concern the endpoints of all resources. */
export function endpointSettings(parts: {
  readonly options: Options;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  readonly metrics: Metrics;
  readonly isKnownType: (type: TypeMeta) => boolean;
  /** Called at the first request. */
  readonly authorizer: () => Authorizer;
}): EndpointSettings {
  const { options, naming, gates, schemas, yaml, isKnownType, authorizer } = parts;
  const hasColumns = isAtLeast(options.apiLevel, "1.24");
  const scaleCodec = schemas.codec<Scale>("autoscaling/v1.Scale");
  return {
    level: options.apiLevel,
    metaGroup: naming.group("meta"),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    random: Math.random,
    allowBookmarks: true,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    listChunking: gates.isEnabled("APIListChunking"),
    remainingItemCount: gates.isEnabled("RemainingItemCount"),
    ignoresFieldValidation: !gates.served("ServerSideFieldValidation"),
    serverSideFieldValidation: gates.isEnabled("ServerSideFieldValidation"),
    initialEvents: initialEventsOf(gates),
    shards: gates.isEnabled("ShardedListAndWatch") ? shardMetrics(parts.metrics) : undefined,
    unsafeDeletion: gates.isEnabled("AllowUnsafeMalformedObjectDeletion")
      ? { authorizer, annotation: `apiserver.${naming.groupDomain}/unsafe-delete-ignore-read-error` }
      : undefined,
    isKnownType,
    fieldTracking: fieldTrackingAt(naming, options.apiLevel),
    scaleCodec,
    scaleView: createKindView(scaleKind, scaleCodec, hasColumns ? scaleColumns : undefined),
    customScaleView: createKindView(scaleKind, scaleCodec, hasColumns ? customScaleColumns : undefined),
    bodyParser: new BodyParser({
      yaml,
      protobufMediaType: naming.protobufMediaType,
      cbor: gates.isEnabled("CBORServingAndStorage"),
    }),
    deleteOptionsCodec: schemas.codec<DeleteOptions>("meta/v1.DeleteOptions"),
  };
}

/** Kubernetes has the parameter since 1.27, but the gate can be set at every level. */
function initialEventsOf(gates: FeatureGates): InitialEvents {
  const isKnown = isAtLeast(gates.level, "1.27");
  if (gates.isEnabled("WatchList")) return isKnown ? "implied" : "allowed";
  return isKnown ? "forbidden" : "unknown";
}
