import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  invalidUnprinted,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printTime } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Job, JobStatus } from "../../gen/batch-v1.js";
import { batchV1Types } from "../v1/types.js";
import { parseIndexes, sharedIndex } from "./index-intervals.js";

const statusRules = fieldRules<JobStatus>(batchV1Types, "JobStatus");
const path = FieldPath.of("status");

export function validateJobStatus(status: JobStatus): FieldError[] {
  const { uncountedTerminatedPods: uncounted } = status;
  return [
    ...statusRules.check(status, path, "active", "succeeded", "failed", "ready", "terminating"),
    ...validateUncounted(
      { succeeded: uncounted?.succeeded, failed: uncounted?.failed },
      path.child("uncountedTerminatedPods"),
    ),
  ];
}

/** Each pod may be in only one of the lists, once. */
function validateUncounted(
  lists: { readonly [list: string]: readonly string[] | undefined },
  listsPath: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return Object.entries(lists).flatMap(([name, uids]) =>
    (uids ?? []).flatMap((uid, index) => {
      const at = listsPath.child(name).index(index);
      if (uid === "") return [invalid(at, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

/**
 * Checks the change of a job's status, which any controller named in `managedBy` may write. A rule is checked only if one of its fields
 * changes, so that an invalid old status does not block other changes. Source: Kubernetes' `pkg/registry/batch/job`.
 */
export function validateJobTransition(
  job: Job,
  old: Job,
  { level, allowsAnySuccess }: { readonly level: ApiLevel; readonly allowsAnySuccess: boolean },
): FieldError[] {
  const changes = changesBetween(job, old);
  return [
    ...validateConditions(job, changes),
    ...validateTimes(job, changes),
    ...(isAtLeast(level, "1.31") ? validateEarlierConditions(job, changes) : []),
    ...validateFinished(job, changes),
    ...validateIndexes(job, changes),
    ...validateCounts(job, changes),
    ...validateSuccess(job, allowsAnySuccess),
    ...validateTerminal(job, old),
    ...validateCounters(job, old),
    ...validateKeptTimes(job, old, level),
    ...validateKeptSuccess(job, old),
  ];
}

/** Rules about success, which also apply where the other rules of `validateJobTransition` do not. */
export function validateSuccessTransition(job: Job, old: Job, allowsAnySuccess: boolean): FieldError[] {
  return [...validateSuccess(job, allowsAnySuccess), ...validateKeptSuccess(job, old)];
}

/** Whether SuccessCriteriaMet is allowed for every job: otherwise only for indexed jobs with a success policy. */
export function allowsAnySuccess(old: Job, { level, isEnabled }: ApiContext): boolean {
  if (!isAtLeast(level, "1.31")) return false;
  return isEnabled("JobManagedBy") || isEnabled("JobPodReplacementPolicy") || has(old, "SuccessCriteriaMet");
}

type Changes = ReadonlySet<keyof JobStatus | "finished" | ConditionType>;
type ConditionType = (typeof conditionTypes)[number];

const conditionTypes = ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"] as const;

function changesBetween(job: Job, old: Job): Changes {
  const fields = new Set<keyof JobStatus>();
  for (const name of statusFields) if (!isDeepEqual(job.status[name], old.status[name])) fields.add(name);
  return new Set([
    ...fields,
    ...conditionTypes.filter((type) => has(job, type) !== has(old, type)),
    ...(isFinished(job) === isFinished(old) ? [] : (["finished"] as const)),
  ]);
}

const statusFields = [
  "active",
  "ready",
  "terminating",
  "startTime",
  "completionTime",
  "completedIndexes",
  "failedIndexes",
  "uncountedTerminatedPods",
] as const satisfies readonly (keyof JobStatus)[];

function has({ status }: Job, type: ConditionType): boolean {
  return (status.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === "True",
  );
}

function isFinished(job: Job): boolean {
  return has(job, "Complete") || has(job, "Failed");
}

function changedAny(
  changes: Changes,
  ...names: readonly (keyof JobStatus | "finished" | ConditionType)[]
): boolean {
  return names.some((name) => changes.has(name));
}

function wrongConditions(why: string): FieldError {
  return invalidUnprinted(path.child("conditions"), why);
}

function validateConditions(job: Job, changes: Changes): FieldError[] {
  const errors: FieldError[] = [];
  if (changedAny(changes, "Complete", "Failed") && has(job, "Complete") && has(job, "Failed")) {
    errors.push(wrongConditions("cannot set Complete=True and Failed=true conditions"));
  }
  if (changedAny(changes, "Complete", "FailureTarget") && has(job, "Complete") && has(job, "FailureTarget")) {
    errors.push(wrongConditions("cannot set Complete=True and FailureTarget=true conditions"));
  }
  return errors;
}

/** All pods of a job must have ended before it becomes Failed or Complete. */
function validateEarlierConditions(job: Job, changes: Changes): FieldError[] {
  const errors: FieldError[] = [];
  if (changedAny(changes, "Failed", "FailureTarget") && has(job, "Failed") && !has(job, "FailureTarget")) {
    errors.push(wrongConditions("cannot set Failed=True condition without the FailureTarget=true condition"));
  }
  if (
    changedAny(changes, "Complete", "SuccessCriteriaMet") &&
    has(job, "Complete") &&
    !has(job, "SuccessCriteriaMet")
  ) {
    const why = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    errors.push(wrongConditions(why));
  }
  return errors;
}

function validateTimes(job: Job, changes: Changes): FieldError[] {
  const { startTime, completionTime } = job.status;
  const at = path.child("completionTime");
  const errors: FieldError[] = [];
  if (changedAny(changes, "Complete", "completionTime")) {
    if (completionTime !== undefined && !has(job, "Complete")) {
      const why = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalid(at, printTime(completionTime), why));
    }
    if (completionTime === undefined && has(job, "Complete")) {
      errors.push(required(at, "completionTime is required for Complete jobs"));
    }
  }
  if (!changedAny(changes, "startTime", "completionTime")) return errors;
  if (
    startTime !== undefined &&
    completionTime !== undefined &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) {
    const why = hasErrorTextsOf(34)
      ? "must be equal to or after `startTime`"
      : "completionTime cannot be set before startTime";
    errors.push(invalid(at, printTime(completionTime), why));
  }
  return errors;
}

function validateFinished(job: Job, changes: Changes): FieldError[] {
  const { suspend, completions } = job.spec;
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status;
  const errors: FieldError[] = [];
  if (isFinished(job)) {
    if (changedAny(changes, "finished", "active") && active > 0) {
      errors.push(invalid(path.child("active"), active, "active>0 is invalid for finished job"));
    }
    // A suspended job with no pods to run completes without ever starting.
    const neverStarts = suspend === true && completions === 0;
    if (changedAny(changes, "finished", "startTime") && startTime === undefined && !neverStarts) {
      errors.push(required(path.child("startTime"), "startTime is required for finished job"));
    }
    const count = (uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length;
    if (changedAny(changes, "finished", "uncountedTerminatedPods") && count > 0) {
      const why = `${hasErrorTextsOf(34) ? "must" : "uncountedTerminatedPods needs to"} be empty for finished job`;
      errors.push(invalid(path.child("uncountedTerminatedPods"), uncounted, why));
    }
  }
  return errors;
}

function validateCounts(job: Job, changes: Changes): FieldError[] {
  const { active = 0, terminating = 0, ready } = job.status;
  const errors: FieldError[] = [];
  if (isFinished(job) && changedAny(changes, "finished", "terminating") && terminating > 0) {
    errors.push(invalid(path.child("terminating"), terminating, "terminating>0 is invalid for finished job"));
  }
  if (changedAny(changes, "ready", "active") && ready !== undefined && ready > active) {
    errors.push(invalid(path.child("ready"), ready, "cannot set more ready pods than active"));
  }
  return errors;
}

function validateIndexes({ spec, status }: Job, changes: Changes): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = "", failedIndexes } = status;
  const errors: FieldError[] = [];
  const problemOf = (text: string): string | undefined => {
    const parsed = completions === undefined ? undefined : parseIndexes(text, completions);
    return parsed !== undefined && "problem" in parsed ? parsed.problem : undefined;
  };
  const [completedPath, failedPath] = [path.child("completedIndexes"), path.child("failedIndexes")];
  if (changes.has("completedIndexes")) {
    const problem = problemOf(completedIndexes);
    if (problem !== undefined) {
      errors.push(invalid(completedPath, completedIndexes, `error parsing completedIndexes: ${problem}`));
    }
  }
  const failed = changes.has("failedIndexes") ? failedIndexes : undefined;
  if (failed !== undefined && backoffLimitPerIndex !== undefined) {
    const problem = problemOf(failed);
    if (problem !== undefined) {
      errors.push(invalid(failedPath, failed, `error parsing failedIndexes: ${problem}`));
    }
  }
  if (changes.has("completedIndexes") && completedIndexes !== "" && completionMode !== "Indexed") {
    const why = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid(completedPath, completedIndexes, why));
  }
  if (failed !== undefined && backoffLimitPerIndex === undefined) {
    const why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid(failedPath, failed, why));
  }
  if (!changedAny(changes, "completedIndexes", "failedIndexes")) return errors;
  if (failedIndexes === undefined || completions === undefined) return errors;
  const shared = sharedIndex(completedIndexes, failedIndexes, completions);
  if (shared === undefined) return errors;
  const why = `failedIndexes and completedIndexes overlap at index: ${shared}`;
  return [...errors, invalid(failedPath, failedIndexes, why)];
}

function validateSuccess(job: Job, allowsAny: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const isMet = has(job, "SuccessCriteriaMet");
  if (isMet && !allowsAny && job.spec.completionMode !== "Indexed") {
    errors.push(wrongConditions("cannot set SuccessCriteriaMet to NonIndexed Job"));
  }
  if (isMet && has(job, "Failed")) {
    errors.push(wrongConditions("cannot set SuccessCriteriaMet=True and Failed=true conditions"));
  }
  if (isMet && has(job, "FailureTarget")) {
    errors.push(wrongConditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
  }
  if (isMet && !allowsAny && job.spec.successPolicy === undefined) {
    errors.push(wrongConditions("cannot set SuccessCriteriaMet=True for Job without SuccessPolicy"));
  }
  if (job.spec.successPolicy !== undefined && !isMet && has(job, "Complete")) {
    const why = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    errors.push(wrongConditions(why));
  }
  return errors;
}

function validateCounters({ spec, status }: Job, { status: before }: Job): FieldError[] {
  const errors: FieldError[] = [];
  const { failed = 0, succeeded = 0 } = status;
  if (failed < (before.failed ?? 0)) {
    errors.push(invalid(path.child("failed"), failed, "cannot decrease the failed counter"));
  }
  // Indexed jobs with completions equal to parallelism can be scaled down.
  const isElastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isElastic && succeeded < (before.succeeded ?? 0)) {
    errors.push(invalid(path.child("succeeded"), succeeded, "cannot decrease the succeeded counter"));
  }
  return errors;
}

function validateTerminal(job: Job, old: Job): FieldError[] {
  return (["Failed", "Complete", "FailureTarget"] as const)
    .filter((type) => has(old, type) && !has(job, type))
    .map((type) => wrongConditions(`cannot disable the terminal ${type}=True condition`));
}

function validateKeptSuccess(job: Job, old: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (has(old, "SuccessCriteriaMet") && !has(job, "SuccessCriteriaMet")) {
    errors.push(wrongConditions("cannot disable the SuccessCriteriaMet=True condition"));
  }
  if (has(old, "Complete") && !has(old, "SuccessCriteriaMet") && has(job, "SuccessCriteriaMet")) {
    const why = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(wrongConditions(why));
  }
  return errors;
}

function validateKeptTimes(job: Job, old: Job, level: ApiLevel): FieldError[] {
  const { spec, status } = job;
  const { status: before } = old;
  const { startTime, completionTime } = status;
  const errors: FieldError[] = [];
  if (
    completionTime !== undefined &&
    before.completionTime !== undefined &&
    completionTime !== before.completionTime
  ) {
    errors.push(
      invalid(path.child("completionTime"), printTime(completionTime), "completionTime cannot be mutated"),
    );
  }
  const isStarted = before.startTime !== undefined && spec.suspend !== true;
  if (isStarted && startTime !== before.startTime && !isResumed(job, old)) {
    const at = path.child("startTime");
    errors.push(
      isAtLeast(level, "1.36")
        ? invalid(at, startTime ?? null, "field is immutable for unsuspended job once set")
        : required(at, "startTime cannot be removed for unsuspended job"),
    );
  }
  return errors;
}

/** A resumed job gets a new start time. */
function isResumed(job: Job, old: Job): boolean {
  return suspension(old) === "True" && suspension(job) === "False";
}

function suspension({ status: { conditions = [] } }: Job): string | undefined {
  return conditions.find(({ type }) => type === "Suspended")?.status;
}
