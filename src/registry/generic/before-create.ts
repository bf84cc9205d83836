import {
  type FieldError,
  FieldPath,
  type FoundErrors,
  findErrorsInSteps,
} from "../../apimachinery/field-error.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/meta.js";
import { findingsInSteps } from "../../apimachinery/put-off.js";
import { badRequest, invalidObject } from "../../apimachinery/status.js";
import { type Steps, stepsInTurns } from "../../apimachinery/steps.js";
import { validateObjectMeta } from "../../apimachinery/validation/object-meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { RegistryContext } from "./registry-context.js";

/** Longest prefix for a generated suffix of five characters. */
const generatedBaseMax = 58;

/** What every new object has from the start: an identity, a creation time, a name. */
export function fillSystemFields(
  meta: ObjectMeta,
  now: Date,
  random: { uid(): string; nameSuffix(): string },
): void {
  meta.creationTimestamp = rfc3339(now);
  meta.uid = random.uid();
  if (isEmpty(meta.name) && !isEmpty(meta.generateName)) {
    meta.name = (meta.generateName ?? "").slice(0, generatedBaseMax) + random.nameSuffix();
  }
}

/** Sets the system fields of a new object and what the strategy decides, then validates it. Throws 400 and 422. */
export async function beforeCreate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  context: RegistryContext,
  object: T,
): Promise<void> {
  const meta = object.metadata;
  checkNamespace(definition, context, meta);
  meta.deletionTimestamp = undefined;
  meta.deletionGracePeriodSeconds = undefined;
  meta.clusterName = undefined;
  meta.selfLink = undefined;
  strategy.prepareForCreate(context, object);
  await context.takeTurn?.();
  const rules = {
    namespaced: definition.namespaced,
    validateName: strategy.validateName,
    standardFinalizers: definition.standardFinalizers,
  };
  const metaErrors = await findInTurns(
    context,
    findingsInSteps(() => validateObjectMeta(meta, rules, FieldPath.of("metadata"))),
  );
  await context.takeTurn?.();
  const errors = metaErrors.isCut
    ? metaErrors
    : await findInTurns(
        context,
        strategy.validationSteps?.(context, object, undefined) ??
          findingsInSteps(() => strategy.validate(context, object)),
      );
  await refuseInvalid(definition, meta, [metaErrors, errors], context);
  await context.takeTurn?.();
  await warn(context, () => strategy.warningsOnCreate?.(context, object) ?? []);
  await canonicalize(strategy, context, object);
}

/** Sends the client the warnings that `find` finds, with turns for others where there are many. */
export async function warn(context: RegistryContext, find: () => readonly string[]): Promise<void> {
  const warnings = await stepsInTurns(findingsInSteps(find), (parts) => context.takeTurn?.(parts));
  for (const warning of warnings) context.warn(warning);
}

/** Lets the strategy make its last changes, with turns for others where it has steps. */
export async function canonicalize<T extends ApiObject>(
  strategy: Strategy<T>,
  context: RegistryContext,
  object: T,
): Promise<void> {
  strategy.canonicalize?.(object);
  const steps = strategy.canonicalizingSteps?.(context, object);
  if (steps !== undefined) await stepsInTurns(steps, (parts) => context.takeTurn?.(parts));
}

/** The errors of a validation, with turns for others between its steps. */
export async function findInTurns(
  context: RegistryContext,
  validation: Steps<readonly FieldError[]>,
): Promise<FoundErrors> {
  return await stepsInTurns(findErrorsInSteps(validation), (parts) => context.takeTurn?.(parts));
}

/** Rejects with 422 if there are any errors, which may be long. */
export async function refuseInvalid<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  { name = "" }: ObjectMeta,
  found: readonly FoundErrors[],
  context: RegistryContext,
): Promise<void> {
  const parts = new Set(found);
  const errors = [...parts].flatMap((part) => part.errors);
  if (errors.length === 0) return;
  await context.takeTurn?.();
  const isCut = found.some((part) => part.isCut);
  throw invalidObject(definition.invalidKind ?? definition, name, errors, isCut);
}

/** The namespace of the path rules; an object may repeat it but not contradict it. */
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
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Whole seconds in UTC, as all times of metadata. */
export function rfc3339(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === "";
}
