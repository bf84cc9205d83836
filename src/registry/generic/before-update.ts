import { type FieldError, FieldPath, findErrors, invalid } from "../../apimachinery/errors/field-error.js";
import { PrintedValue, quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { badRequest, invalidObject, outdatedVersion } from "../../apimachinery/errors/status.js";
import { minorOf, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import { namesNoVersion } from "../../apimachinery/objects/named-version.js";
import { withQuantitiesWrittenAsIn } from "../../apimachinery/schema/equal-quantities.js";
import { parseDecimal, uint64 } from "../../apimachinery/values/decimal-integer.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { checkNamespace, refuseInvalid, warnOf } from "./before-create.js";
import { metadataUpdateErrors } from "./metadata-update.js";
import type { RegistryContext } from "./registry-context.js";

/** Kubernetes reports the version as an unsigned zero. */
const versionPath = FieldPath.of("metadata", "resourceVersion");
const noVersion = new PrintedValue("0x0", 0);

/** Throws 400 for a resource version that is not a number. Kubernetes answers 500 with the same message. */
export function refuseMalformedVersion({ resourceVersion = "" }: ObjectMeta): void {
  const value = resourceVersion === "" ? 0n : parseDecimal(resourceVersion, uint64);
  if (typeof value !== "string") return;
  const why = `strconv.ParseUint: parsing ${quotedShortened(resourceVersion)}: ${value}`;
  throw badRequest(`metadata.resourceVersion: ${why}`);
}

/** Checks the resourceVersion. An update without one applies to the current version, if the kind allows that. Throws 400, 409 and 422. */
export function checkVersion<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  meta: ObjectMeta,
  { name = "", resourceVersion: current }: ObjectMeta,
): void {
  refuseMalformedVersion(meta);
  if (namesNoVersion(meta.resourceVersion)) {
    if (!strategy.allowUnconditionalUpdate) {
      // Kubernetes names the resource here, not the kind.
      const { group, resource, level = oldestLevel } = definition;
      const { errors } = findErrors(
        () => [invalid(versionPath, noVersion, "must be specified for an update")],
        minorOf(level),
      );
      throw invalidObject({ group, kind: resource }, name, errors);
    }
    meta.resourceVersion = current;
  } else if (meta.resourceVersion !== current) throw outdatedVersion(definition, name);
}

/** Restores what an update cannot change, then validates the transition. `problems` are earlier errors. Throws 400 and 422. */
export function beforeUpdate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  context: RegistryContext,
  object: T,
  current: T,
  problems: readonly FieldError[] = [],
): void {
  const hub = hubVersion(definition);
  const { schema } = hub.codec;
  // Preserved fields keep their original spelling.
  const kept = new Set(strategy.resetFields?.flatMap((path) => (path.length === 1 ? path : [])));
  const old = schema === undefined ? current : withQuantitiesWrittenAsIn(object, current, schema, kept);
  const meta = object.metadata;
  const oldMeta = old.metadata;
  checkNamespace(definition, context, meta);
  meta.generation = oldMeta.generation;
  meta.selfLink = undefined;
  // As in Kubernetes: a changed creation time is silently ignored; another uid, or a new deletion timestamp, is an error.
  meta.uid ??= oldMeta.uid;
  meta.creationTimestamp = oldMeta.creationTimestamp;
  if (oldMeta.deletionTimestamp !== undefined) meta.deletionTimestamp = oldMeta.deletionTimestamp;
  meta.deletionGracePeriodSeconds ??= oldMeta.deletionGracePeriodSeconds;
  meta.clusterName = oldMeta.clusterName;
  if (strategy.keepsGatedFields !== true) hub.gatedFields?.drop(object, old);
  strategy.prepareForUpdate(context, object, old);
  const path = FieldPath.of("metadata");
  const isPart = strategy !== definition.strategy;
  // The strategy may have replaced the metadata object.
  const { metadata } = object;
  refuseInvalid(definition, metadata, () => [
    ...metadataUpdateErrors(definition, metadata, oldMeta, { isPart, path }),
    ...problems,
    ...strategy.validateUpdate(context, object, old),
  ]);
  warnOf(definition, context, () => strategy.warningsOnUpdate?.(context, object, old));
  strategy.canonicalize?.(context, object);
}
