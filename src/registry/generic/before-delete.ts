import { conflict, otherUid } from "../../apimachinery/errors/status.js";
import { isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { GracefulDeletion, Strategy, WriteContext } from "../../apis/definition/strategy.js";
import { type DeleteOptions, foregroundFinalizer, orphanFinalizer } from "./delete-options.js";

/** What a delete does to an object in its current state. */
export type DeletionPlan =
  /** Nothing holds it: remove it. */
  | { readonly kind: "remove" }
  /** It is already being deleted and nothing changes. */
  | { readonly kind: "pending" }
  /** `object` has been changed in place and must be stored; `thenRemove` when nothing holds it afterwards. */
  | { readonly kind: "mark"; readonly thenRemove: boolean };

export interface DeletionContext extends Pick<WriteContext, "now" | "version"> {
  /** False if no garbage collector acts on the policy: its finalizers are then neither added nor removed. */
  readonly recordsPropagation: boolean;
}

/**
 * Decides between finalization and removal, by the finalizers of the propagation policy and the kind's grace period. Changes `object` in
 * place for a "mark".
 */
export function planDeletion<T extends ApiObject>(
  { strategy, level }: ResourceDefinition<T>,
  object: T,
  options: DeleteOptions,
  context: DeletionContext,
): DeletionPlan {
  if (isUnderWay(strategy, object, options)) return { kind: "pending" };
  const { termination } = strategy;
  const meta = object.metadata;
  const recordPropagation = (): boolean =>
    context.recordsPropagation &&
    setPropagationFinalizers(object, options, strategy.defaultPropagation?.(context.version));
  if (termination !== undefined && meta.deletionTimestamp === undefined) {
    if (termination.ignoresPropagation !== true) recordPropagation();
    meta.deletionTimestamp = timestamp(context.now);
    termination.begin(object);
    return { kind: "mark", thenRemove: false };
  }

  const grace = beginGrace({ strategy, level }, object, options, context.now);
  const finalizersChanged = recordPropagation();
  const held = (meta.finalizers?.length ?? 0) > 0;
  if (grace !== "none") return { kind: "mark", thenRemove: grace.gracePeriodSeconds === 0 && !held };
  if (!held) return { kind: "remove" };
  const newlyMarked = markAsDeleting(object, context.now);
  return newlyMarked || finalizersChanged ? { kind: "mark", thenRemove: false } : { kind: "pending" };
}

/**
 * Whether an earlier delete is in progress, by the kind's own termination or a grace period, so that this one changes nothing. The first
 * delete has already decided about the dependents.
 */
export function isUnderWay<T extends ApiObject>(
  { termination, gracefulDeletion }: Strategy<T>,
  object: T,
  { gracePeriodSeconds }: DeleteOptions,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  if (termination !== undefined) return termination.isHeld(object);
  const before = Number(deletionGracePeriodSeconds ?? 0);
  if (gracefulDeletion === undefined || before === 0) return false;
  const requested = requestedGrace({ gracePeriodSeconds });
  return requested === undefined || requested >= before;
}

/** Throws 409. Kubernetes names most resources by their kind here. Kinds with their own termination have their own messages. */
export function checkPreconditions<T extends ApiObject>(
  { group, kind, resource, strategy }: ResourceDefinition<T>,
  { metadata: { name = "", uid = "", resourceVersion = "" } }: T,
  { preconditions: wanted }: DeleteOptions,
): void {
  const terminates = strategy.termination !== undefined;
  const subject = { group, resource: terminates ? resource : kind };
  if (wanted?.uid !== undefined && wanted.uid !== uid) {
    if (terminates) throw otherUid(subject, name, { wanted: wanted.uid, actual: uid });
    const why = `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (wanted?.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    throw conflict(
      subject,
      name,
      terminates
        ? `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`
        : `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/**
 * Starts the grace period, or shortens it: a second delete never lengthens it, and does not ask the kind again. "none" for a kind without
 * a grace period, or once the period is over.
 */
function beginGrace<T extends ApiObject>(
  { strategy, level = oldestLevel }: Pick<ResourceDefinition<T>, "strategy" | "level">,
  object: T,
  options: DeleteOptions,
  now: Date,
): GracefulDeletion | "none" {
  const requested = requestedGrace(options);
  const meta = object.metadata;
  if (strategy.gracefulDeletion === undefined) return "none";
  if (meta.deletionTimestamp === undefined) {
    const grace = strategy.gracefulDeletion(object, requested);
    meta.deletionTimestamp = timestamp(new Date(now.getTime() + grace.gracePeriodSeconds * 1000));
    meta.deletionGracePeriodSeconds = grace.gracePeriodSeconds;
    countDeletion(object);
    return grace;
  }
  const before = Number(meta.deletionGracePeriodSeconds ?? 0);
  if (before === 0 || requested === undefined) return "none";
  const end = new Date(Date.parse(meta.deletionTimestamp) - (before - requested) * 1000);
  const isOver = end < now && isAtLeast(level, "1.33");
  // Zero removes the object at once. Any other request leaves it at least a second, so that its node agent sees the change.
  const gracePeriodSeconds = isOver ? Math.min(requested, 1) : requested;
  meta.deletionTimestamp = timestamp(isOver ? now : end);
  meta.deletionGracePeriodSeconds = gracePeriodSeconds;
  return { gracePeriodSeconds };
}

/** A negative period means the shortest possible; zero would force the deletion. Source: Kubernetes' PR 98866. */
export function requestedGrace({ gracePeriodSeconds: seconds }: DeleteOptions): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

/** Returns false when it was already marked. */
function markAsDeleting(object: ApiObject, now: Date): boolean {
  const meta = object.metadata;
  const { deletionTimestamp: marked, deletionGracePeriodSeconds: seconds } = meta;
  if (marked === undefined) countDeletion(object);
  if (marked === undefined || Date.parse(marked) > now.getTime()) meta.deletionTimestamp = timestamp(now);
  meta.deletionGracePeriodSeconds = 0;
  return meta.deletionTimestamp !== marked || seconds === undefined || Number(seconds) !== 0;
}

/** Increases the generation, by which controllers notice the deletion. */
function countDeletion({ metadata }: ApiObject): void {
  const generation = Number(metadata.generation ?? 0);
  if (generation > 0) metadata.generation = generation + 1;
}

/** Returns whether the list changed. */
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
  const kept = new Set(after);
  const same = after.length === before.length && before.every((f) => kept.has(f));
  if (same) return false;
  object.metadata.finalizers = after.length === 0 ? undefined : after;
  return true;
}

function wantsOrphan(finalizers: readonly string[], options: DeleteOptions, byDefault: string): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Orphan";
  // An existing finalizer shows the policy of an earlier delete.
  if (finalizers.includes(orphanFinalizer)) return true;
  if (finalizers.includes(foregroundFinalizer)) return false;
  return byDefault === "orphan";
}

function wantsForeground(finalizers: readonly string[], options: DeleteOptions): boolean {
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Foreground";
  return finalizers.includes(foregroundFinalizer) && !finalizers.includes(orphanFinalizer);
}
