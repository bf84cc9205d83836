import { qualifiedResource } from "../../apimachinery/errors/status.js";
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
import type { CatalogChange, CatalogSource } from "../../endpoints/catalog/resource-offer.js";
import {
  CustomResourceSource,
  type CustomResourceSourceParts,
} from "../../endpoints/custom-resources/custom-resource-source.js";
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
  const { options, naming, catalog, informers, context } = parts;
  const definitions = informers.add<CustomResourceDefinition, DefinitionSummary, "group">({
    source: () => context.builtin("customresourcedefinitions.apiextensions"),
    view: summaryOf,
    immediate: true,
    indexes: { group: (summary) => [summary.group] },
  });
  const webhooks = conversionWebhooks(parts);
  const offered = new OfferedResources(catalog);
  const source = customResourceSource(parts, { definitions, webhooks, offered });
  // Must be registered before the controller, which establishes definitions.
  definitions.onChange((change) => {
    source.change(change);
    if (change.value === undefined) webhooks.forget(change.key);
  });
  const controller = new DefinitionController({
    context,
    naming,
    // Other servers may serve from the same store.
    isStoreShared: options.storeServers.length > 0,
    checksCaBundle: isAtLeast(options.apiLevel, "1.31"),
    createsUnderWay: (definition) => source.createsUnderWay(definition),
    definitions,
    onChange: (listener) => definitions.onChange(listener),
    instances: (group, resource) =>
      offered.has({ group, resource }) ? catalog.handle(group, resource)?.registry : undefined,
    isBuiltin: (group, resource) =>
      catalog.handle(group, resource) !== undefined && !offered.has({ group, resource }),
  });
  return {
    start: () => controller.start(),
    async stop() {
      await controller.stop();
      await webhooks.close();
    },
  };
}

function conversionWebhooks({
  options,
  naming,
  metrics,
  schemas,
  webhookDials,
}: CustomResourcesParts): ConversionWebhooks {
  return new ConversionWebhooks({
    naming,
    codec: schemas.codec("apiextensions/v1.ConversionReview"),
    dials: webhookDials,
    uid: () => systemRandom.uid(),
    observe: conversionMetrics(metrics, options.apiLevel),
    isTraced: isAtLeast(options.apiLevel, "1.26"),
  });
}

/** Offers to the catalog what the definitions define. */
function customResourceSource(
  { options, naming, gates, schemas, catalog, context }: CustomResourcesParts,
  {
    definitions,
    webhooks,
    offered,
  }: {
    readonly definitions: CustomResourceSourceParts["definitions"];
    readonly webhooks: ConversionWebhooks;
    readonly offered: OfferedResources;
  },
): CustomResourceSource {
  const builtinVersions = new Set([...catalog.localVersions()].map(versionKey));
  return new CustomResourceSource({
    catalog: offered,
    prefix: naming.extensionPrefix,
    deprecationAnnotations: new Map([[`${naming.groupDomain}/deprecated`, "true"]]),
    metaCodec: schemas.codec<ObjectMeta>("meta/v1.ObjectMeta"),
    definitions,
    isBuiltinVersion: (version) => builtinVersions.has(versionKey(version)),
    validation: {
      level: options.apiLevel,
      checksRules: gates.isEnabled("CustomResourceValidationExpressions"),
      ratchets: gates.isEnabled("CRDValidationRatcheting"),
      standardFinalizers: [naming.vendor],
    },
    convertOf: (definition) => webhooks.of(definition),
    onFailure: (definition, error) =>
      context.log.error("a custom resource cannot be served", error, { definition }),
  });
}

/** The resources of the catalog that definitions define. */
class OfferedResources implements CatalogSource {
  readonly #source: CatalogSource;
  readonly #offered = new Set<string>();

  constructor(catalog: LiveCatalog) {
    this.#source = catalog.source("the custom resource definitions");
  }

  publish(change: CatalogChange): void {
    this.#source.publish(change);
    for (const { definition } of change.offered ?? []) this.#offered.add(qualifiedResource(definition));
    for (const withdrawn of change.withdrawn ?? []) this.#offered.delete(qualifiedResource(withdrawn));
  }

  has(resource: { readonly group: string; readonly resource: string }): boolean {
    return this.#offered.has(qualifiedResource(resource));
  }
}

function versionKey({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}
