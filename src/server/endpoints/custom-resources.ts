import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { GroupVersion, ObjectMeta } from "../../apimachinery/objects/meta.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import {
  type DefinitionSummary,
  summaryOf,
} from "../../apis/apiextensions/custom-resource/definition-summary.js";
import type { CustomResourceDefinition } from "../../apis/gen/apiextensions-v1.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { DefinitionController } from "../../controllers/custom-resources/definition-controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import { CustomResourceSource } from "../../endpoints/custom-resources/custom-resource-source.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { ConversionWebhooks } from "../connections/conversion-webhooks.js";
import type { WebhookDials } from "../connections/webhook-server.js";
import { conversionMetrics } from "../metrics/conversion-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import { systemRandom } from "./random.js";

export interface CustomResourcesParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly schemas: SchemaRegistry;
  readonly catalog: LiveCatalog;
  readonly informers: Informers;
  readonly context: ControllerContext;
  readonly webhookDials: WebhookDials;
}

/**
 * Serves what the stored definitions define, besides the built-in kinds in the catalog. Start the controller with the others, after the
 * informers.
 */
export function serveCustomResources(parts: CustomResourcesParts): Controller {
  const { options, naming, gates, metrics, schemas, catalog, informers, context } = parts;
  const level = options.apiLevel;
  const definitions = informers.add<CustomResourceDefinition, DefinitionSummary, "group">({
    source: () => context.builtin("customresourcedefinitions.apiextensions"),
    view: summaryOf,
    immediate: true,
    indexes: { group: (summary) => [summary.group] },
  });
  const webhooks = new ConversionWebhooks({
    naming,
    codec: schemas.codec("apiextensions/v1.ConversionReview"),
    dials: parts.webhookDials,
    uid: () => systemRandom.uid(),
    observe: conversionMetrics(metrics, level),
    isTraced: isAtLeast(level, "1.26"),
  });
  const offered = new Set<string>();
  const builtinVersions = new Set([...catalog.localVersions()].map(versionKey));
  const source = new CustomResourceSource({
    catalog: {
      publish(change) {
        catalog.source("the custom resource definitions").publish(change);
        for (const { definition } of change.offered ?? []) offered.add(key(definition));
        for (const withdrawn of change.withdrawn ?? []) offered.delete(key(withdrawn));
      },
    },
    prefix: naming.extensionPrefix,
    deprecationAnnotations: new Map([[`${naming.groupDomain}/deprecated`, "true"]]),
    metaCodec: schemas.codec<ObjectMeta>("meta/v1.ObjectMeta"),
    definitions,
    isBuiltinVersion: (version) => builtinVersions.has(versionKey(version)),
    validation: {
      level,
      checksRules: gates.isEnabled("CustomResourceValidationExpressions"),
      ratchets: gates.isEnabled("CRDValidationRatcheting"),
      standardFinalizers: [naming.vendor],
    },
    convertOf: (definition) => webhooks.of(definition),
    onFailure: (definition, error) =>
      context.log.error("a custom resource cannot be served", error, { definition }),
  });
  // Must precede the controller, which establishes definitions.
  definitions.onChange((change) => {
    source.change(change);
    if (change.value === undefined) webhooks.forget(change.key);
  });
  const controller = new DefinitionController({
    context,
    naming,
    // Other servers may serve from the same store.
    isStoreShared: options.storeServers.length > 0,
    checksCaBundle: isAtLeast(level, "1.31"),
    createsUnderWay: (definition) => source.createsUnderWay(definition),
    definitions,
    onChange: (listener) => definitions.onChange(listener),
    instances: (ofGroup, resource) =>
      offered.has(key({ group: ofGroup, resource }))
        ? catalog.handle(ofGroup, resource)?.registry
        : undefined,
    isBuiltin: (ofGroup, resource) =>
      catalog.handle(ofGroup, resource) !== undefined && !offered.has(key({ group: ofGroup, resource })),
  });
  return {
    start: () => controller.start(),
    async stop() {
      await controller.stop();
      await webhooks.close();
    },
  };
}

function key({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `${resource}.${group}`;
}

function versionKey({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}
