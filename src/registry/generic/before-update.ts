import { FieldPath } from "../../apimachinery/field-error.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import { findingsInSteps } from "../../apimachinery/put-off.js";
import { withQuantitiesWrittenAsIn } from "../../apimachinery/schema/equal-quantities.js";
import { stepsInTurns } from "../../apimachinery/steps.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { canonicalize, checkNamespace, findInTurns, refuseInvalid, warn } from "./before-create.js";
import { metadataUpdateErrors } from "./metadata-update.js";
import { type RegistryContext, turnsOf } from "./registry-context.js";

/** Restores what an update cannot change, then validates the transition. Throws 400 and 422. */
export async function beforeUpdate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  context: RegistryContext,
  object: T,
  current: T,
): Promise<void> {
  const { schema } = hubVersion(definition).codec;
  // Preserved fields keep their original spelling.
  const kept = new Set(strategy.resetFields?.flatMap((path) => (path.length === 1 ? path : [])));
  const old = schema === undefined ? current : withQuantitiesWrittenAsIn(object, current, schema, kept);
  const meta = object.metadata;
  const oldMeta = old.metadata;
  checkNamespace(definition, context, meta);
  meta.generation = oldMeta.generation;
  meta.selfLink = undefined;
  // As in Kubernetes: other times are silently ignored, another uid or the start of a deletion is an error.
  meta.uid ??= oldMeta.uid;
  meta.creationTimestamp = oldMeta.creationTimestamp;
  if (oldMeta.deletionTimestamp !== undefined) meta.deletionTimestamp = oldMeta.deletionTimestamp;
  meta.deletionGracePeriodSeconds ??= oldMeta.deletionGracePeriodSeconds;
  meta.clusterName = oldMeta.clusterName;
  await context.takeTurn?.();
  const preparation = strategy.updatePreparationSteps?.(context, object, old);
  if (preparation === undefined) strategy.prepareForUpdate(context, object, old);
  else await stepsInTurns(preparation, turnsOf(context));
  const path = FieldPath.of("metadata");
  await context.takeTurn?.();
  const metaErrors = await findInTurns(
    context,
    findingsInSteps(() =>
      metadataUpdateErrors(definition, meta, oldMeta, { isPart: strategy !== definition.strategy, path }),
    ),
  );
  await context.takeTurn?.();
  const errors = metaErrors.isCut
    ? metaErrors
    : await findInTurns(
        context,
        strategy.validationSteps?.(context, object, old) ??
          findingsInSteps(() => strategy.validateUpdate(context, object, old)),
      );
  await refuseInvalid(definition, meta, [metaErrors, errors], context);
  await context.takeTurn?.();
  await warn(context, () => strategy.warningsOnUpdate?.(context, object, old) ?? []);
  await canonicalize(strategy, context, object);
}
