import type { ApiObject } from "../../apimachinery/meta.js";
import { conflict } from "../../apimachinery/status.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy, WriteContext } from "../../apis/definition/strategy.js";
import { rfc3339 } from "./before-create.js";
import { type DeleteOptions, foregroundFinalizer, orphanFinalizer } from "./delete-options.js";

/** What a delete does to an object as it stands. */
export type DeletionPlan =
  /** Nothing holds it: remove it. */
  | { readonly kind: "remove" }
  /** It is on its way out already and nothing changes. */
  | { readonly kind: "pending" }
  /** `object` has been changed in place and is to be stored; `thenRemove` when nothing holds it afterwards. */
  | { readonly kind: "mark"; readonly thenRemove: boolean };

export interface DeletionContext extends Pick<WriteContext, "now" | "version"> {
  /** False where no garbage collector would act on the policy: no finalizer is added or taken away for it. */
  readonly recordsPropagation: boolean;
}

/**
 * Decides between the phases of contract 1, §3: finalizers from the propagation policy, the kind's grace period, and
 * preconditions (409). Changes `object` in place for a "mark".
 */
export function planDeletion<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  strategy: Strategy<T>,
  object: T,
  options: DeleteOptions,
  { now, version, recordsPropagation }: DeletionContext,
): DeletionPlan {
  checkPreconditions(definition, object, options);
  const meta = object.metadata;
  const finalizersChanged =
    recordsPropagation && setPropagationFinalizers(object, options, strategy.defaultPropagation?.(version));
  const held = (meta.finalizers?.length ?? 0) > 0 || strategy.isHeld?.(object) === true;

  const requestedSeconds = unlessNegative(options.gracePeriodSeconds);
  const grace = strategy.gracefulDeletion?.(object, requestedSeconds);
  if (grace !== undefined && grace.gracePeriodSeconds > 0) {
    if (meta.deletionTimestamp !== undefined) {
      const shorter = shortenGrace(object, requestedSeconds);
      if (shorter || finalizersChanged) return { kind: "mark", thenRemove: false };
      return { kind: "pending" };
    }
    startDeletion(object, now, grace.gracePeriodSeconds);
    strategy.onDeletionStart?.(object);
    return { kind: "mark", thenRemove: false };
  }

  if (!held) {
    return finalizersChanged ? { kind: "mark", thenRemove: true } : { kind: "remove" };
  }
  const alreadyMarked =
    meta.deletionTimestamp !== undefined && Number(meta.deletionGracePeriodSeconds ?? 0) === 0;
  if (alreadyMarked && !finalizersChanged) return { kind: "pending" };
  if (meta.deletionTimestamp === undefined) {
    startDeletion(object, now, 0);
    strategy.onDeletionStart?.(object);
  } else meta.deletionGracePeriodSeconds = 0;
  return { kind: "mark", thenRemove: false };
}

/** Here the original calls the resource by its kind. */
function checkPreconditions<T extends ApiObject>(
  { group, kind }: ResourceDefinition<T>,
  { metadata: { name = "", uid = "", resourceVersion = "" } }: T,
  { preconditions: wanted }: DeleteOptions,
): void {
  const subject = { group, resource: kind };
  if (wanted?.uid !== undefined && wanted.uid !== uid) {
    throw conflict(
      subject,
      name,
      `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (wanted?.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    throw conflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** A negative period means as little as can be; zero would be by force. Source: the original's PR 98866. */
function unlessNegative(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

function startDeletion(object: ApiObject, now: Date, graceSeconds: number): void {
  const meta = object.metadata;
  meta.deletionTimestamp = rfc3339(new Date(now.getTime() + graceSeconds * 1000));
  meta.deletionGracePeriodSeconds = graceSeconds;
  // Controllers watch generation to see that something was asked of the object.
  if (Number(meta.generation ?? 0) > 0) meta.generation = Number(meta.generation) + 1;
}

/** A second delete may shorten the grace period, never lengthen it. */
function shortenGrace(object: ApiObject, requestedSeconds: number | undefined): boolean {
  const meta = object.metadata;
  if (requestedSeconds === undefined || meta.deletionTimestamp === undefined) return false;
  const before = Number(meta.deletionGracePeriodSeconds ?? 0);
  if (requestedSeconds >= before) return false;
  const end = Date.parse(meta.deletionTimestamp) - (before - requestedSeconds) * 1000;
  meta.deletionTimestamp = rfc3339(new Date(end));
  meta.deletionGracePeriodSeconds = requestedSeconds;
  return true;
}

/** True when the list changed. */
function setPropagationFinalizers(
  object: ApiObject,
  options: DeleteOptions,
  byDefault: "orphan" | "background" | "unsupported" = "background",
): boolean {
  if (byDefault === "unsupported") return false;
  const before = object.metadata.finalizers ?? [];
  const after = before.filter((f) => f !== orphanFinalizer && f !== foregroundFinalizer);
  if (wantsOrphan(before, options, byDefault)) after.push(orphanFinalizer);
  if (wantsForeground(before, options)) after.push(foregroundFinalizer);
  const same = after.length === before.length && before.every((f) => after.includes(f));
  if (same) return false;
  object.metadata.finalizers = after.length === 0 ? undefined : after;
  return true;
}

function wantsOrphan(finalizers: readonly string[], options: DeleteOptions, byDefault: string): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Orphan";
  // A finalizer that is there already tells what an earlier delete asked for.
  if (finalizers.includes(orphanFinalizer)) return true;
  if (finalizers.includes(foregroundFinalizer)) return false;
  return byDefault === "orphan";
}

function wantsForeground(finalizers: readonly string[], options: DeleteOptions): boolean {
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Foreground";
  return finalizers.includes(foregroundFinalizer) && !finalizers.includes(orphanFinalizer);
}
