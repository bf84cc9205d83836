import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../errors/field-error.js";
import { validateFieldManager } from "./managed-fields.js";

const propagationPolicies = ["Foreground", "Background", "Orphan"];
const fieldValidationValues = ["", "Ignore", "Strict", "Warn"];

export interface DeleteOptionsObject {
  readonly gracePeriodSeconds?: unknown;
  readonly preconditions?: unknown;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly dryRun?: readonly string[] | undefined;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

export interface WriteOptionsObject {
  readonly fieldManager?: string | undefined;
  readonly dryRun?: readonly string[] | undefined;
  readonly fieldValidation?: string | undefined;
}

export interface PatchOptionsObject extends WriteOptionsObject {
  readonly force?: boolean | undefined;
}

export interface ListOptionsObject {
  readonly watch?: boolean | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly continue?: string | undefined;
  readonly timeoutSeconds?: number | bigint | undefined;
  readonly sendInitialEvents?: boolean | undefined;
}

export function validateDeleteOptions(options: DeleteOptionsObject): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of("propagationPolicy");
  const policy = options.propagationPolicy;
  if (options.orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalid(path, policy, "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (policy !== undefined && !propagationPolicies.includes(policy)) {
    errors.push(notSupported(path, policy, [...propagationPolicies, "nil"]));
  }
  return [
    ...errors,
    ...validateDryRun(options.dryRun ?? [], FieldPath.of("dryRun")),
    ...validateUnsafeDeletion(options),
  ];
}

function validateUnsafeDeletion(options: DeleteOptionsObject): FieldError[] {
  const { ignoreStoreReadErrorWithClusterBreakingPotential: isUnsafe = false } = options;
  if (!isUnsafe) return [];
  const path = FieldPath.of("ignoreStoreReadErrorWithClusterBreakingPotential");
  const others = ["propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"] as const;
  const given = others.filter((name) => options[name] !== undefined);
  return [...((options.dryRun?.length ?? 0) > 0 ? ["dryRun"] : []), ...given].map((name) =>
    invalid(path, true, `cannot be set together with .${name}`),
  );
}

/** Options of a create or an update. */
export function validateWriteOptions(options: WriteOptionsObject): FieldError[] {
  return [
    ...validateFieldManager(options.fieldManager ?? "", FieldPath.of("fieldManager")),
    ...validateDryRun(options.dryRun ?? [], FieldPath.of("dryRun")),
    ...validateFieldValidation(options.fieldValidation ?? "", FieldPath.of("fieldValidation")),
  ];
}

export function validatePatchOptions(options: PatchOptionsObject, isApply: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (!isApply && options.force !== undefined) {
    errors.push(forbidden(FieldPath.of("force"), "may not be specified for non-apply patch"));
  }
  if (isApply && (options.fieldManager ?? "") === "") {
    errors.push(required(FieldPath.of("fieldManager"), "is required for apply patch"));
  }
  return [...errors, ...validateWriteOptions(options)];
}

/** Allowed combinations of version, match and continue. */
export function validateListOptions(options: ListOptionsObject): FieldError[] {
  const path = FieldPath.of("resourceVersionMatch");
  const match = options.resourceVersionMatch ?? "";
  const errors: FieldError[] = [];
  const asksForState = options.watch !== true && options.sendInitialEvents !== undefined;
  const stateForbidden = asksForState
    ? [forbidden(FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list")]
    : [];
  if (match === "") return stateForbidden;
  const version = options.resourceVersion ?? "";
  if (options.watch === true) {
    errors.push(forbidden(path, "resourceVersionMatch is forbidden for watch"));
  }
  if (version === "") {
    errors.push(forbidden(path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if ((options.continue ?? "") !== "") {
    errors.push(forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    errors.push(notSupported(path, match, ["Exact", "NotOlderThan", ""]));
  }
  if (match === "Exact" && version === "0") {
    errors.push(forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return [...errors, ...stateForbidden];
}

/** For watches since 1.27, which has `sendInitialEvents`; `allowed` is the state of its feature gate. */
export function validateWatchListOptions(
  options: ListOptionsObject,
  { allowed }: { readonly allowed: boolean },
): FieldError[] {
  const path = FieldPath.of("resourceVersionMatch");
  const match = options.resourceVersionMatch ?? "";
  const asksForState = options.sendInitialEvents !== undefined;
  const errors: FieldError[] = [];
  if (asksForState && match !== "NotOlderThan") {
    errors.push(forbidden(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (asksForState && !allowed) {
    const why = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    errors.push(forbidden(FieldPath.of("sendInitialEvents"), why));
  }
  if (match === "") return errors;
  if (!asksForState) {
    errors.push(
      forbidden(path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
    );
  }
  if (match !== "NotOlderThan") errors.push(notSupported(path, match, ["NotOlderThan"]));
  if ((options.continue ?? "") !== "") {
    errors.push(forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  return errors;
}

function validateDryRun(dryRun: readonly string[], path: FieldPath): FieldError[] {
  return dryRun.every((value) => value === "All") ? [] : [notSupported(path, dryRun, ["All"])];
}

function validateFieldValidation(value: string, path: FieldPath): FieldError[] {
  return fieldValidationValues.includes(value) ? [] : [notSupported(path, value, fieldValidationValues)];
}
