import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, findErrors } from "../../apimachinery/errors/field-error.js";
import { invalidObject, otherNamespace } from "../../apimachinery/errors/status.js";
import { minorOf, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import { validateObjectMeta } from "../../apimachinery/validation/object-meta.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { RegistryContext } from "./registry-context.js";

/** Longest prefix for a generated suffix of five characters. */
const generatedBaseMax = 58;

/** The registry's source of randomness. */
export interface RegistryRandom {
  uid(): string;
  /** Five characters for generateName. */
  nameSuffix(): string;
}

/** Sets the fields that every new object has: uid, creation time and name. */
export function fillSystemFields(meta: ObjectMeta, now: Date, random: RegistryRandom): void {
  meta.creationTimestamp = timestamp(now);
  meta.uid = random.uid();
  if (needsName(meta)) {
    meta.name = (meta.generateName ?? "").slice(0, generatedBaseMax) + random.nameSuffix();
  }
}

/** Whether the server has to generate the name. */
export function needsName({ name, generateName }: ObjectMeta): boolean {
  return isEmpty(name) && !isEmpty(generateName);
}

/**
 * Sets the system fields of a new object and those that the strategy decides, then validates it. `problems` are earlier errors. Throws
 * 400 and 422.
 */
export function beforeCreate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  context: RegistryContext,
  object: T,
  problems: readonly FieldError[] = [],
): void {
  const meta = object.metadata;
  checkNamespace(definition, context, meta);
  meta.deletionTimestamp = undefined;
  meta.deletionGracePeriodSeconds = undefined;
  meta.clusterName = undefined;
  meta.selfLink = undefined;
  hubVersion(definition).gatedFields?.drop(object);
  strategy.prepareForCreate(context, object);
  const rules = {
    namespaced: definition.namespaced,
    validateName: strategy.namesOf?.(object) ?? strategy.validateName,
    standardFinalizers: definition.standardFinalizers,
  };
  const { validatesMetadataLast = false } = strategy;
  const metadataErrors = (): FieldError[] => validateObjectMeta(meta, rules, FieldPath.of("metadata"));
  refuseInvalid(definition, meta, () => [
    ...(validatesMetadataLast ? [] : metadataErrors()),
    ...problems,
    ...strategy.validate(context, object),
  ]);
  if (validatesMetadataLast) refuseInvalid(definition, meta, metadataErrors);
  warnOf(definition, context, () => strategy.warningsOnCreate?.(context, object));
  strategy.canonicalize?.(context, object);
}

/** Adds the warnings, in the words of the level like errors. */
export function warnOf<T extends ApiObject>(
  { level = oldestLevel }: ResourceDefinition<T>,
  context: RegistryContext,
  warnings: () => readonly string[] | undefined,
): void {
  for (const warning of withErrorTextsOf(minorOf(level), warnings) ?? []) context.warn(warning);
}

/** Rejects with 422 if there are any errors. */
export function refuseInvalid<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  { name = "" }: ObjectMeta,
  validate: () => readonly FieldError[],
): void {
  const { errors, isCut } = findErrors(validate, minorOf(definition.level ?? oldestLevel));
  if (errors.length > 0) throw invalidObject(definition.invalidKind ?? definition, name, errors, isCut);
}

/** The path decides the namespace; an object may repeat it but not contradict it. */
export function checkNamespace<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  context: RegistryContext,
  meta: ObjectMeta,
): void {
  if (!definition.namespaced) {
    meta.namespace = undefined;
    return;
  }
  if (isEmpty(meta.namespace)) meta.namespace = context.namespace;
  else if (meta.namespace !== context.namespace) {
    throw otherNamespace();
  }
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === "";
}
