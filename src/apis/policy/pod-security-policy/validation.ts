import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { hasBacksteps } from "../../../apimachinery/validation/file-paths.js";
import type { Naming } from "../../../naming/naming.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateObjectName } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  AllowedFlexVolume,
  AllowedHostPath,
  FSGroupStrategyOptions,
  PodSecurityPolicy,
  PodSecurityPolicySpec,
  RunAsUserStrategyOptions,
  RuntimeClassStrategyOptions,
  SELinuxStrategyOptions,
  SupplementalGroupsStrategyOptions,
} from "../../gen/policy-v1beta1.js";
import { policyV1beta1Types } from "../v1beta1/types.js";
import { validateProfileAnnotations } from "./annotation-validation.js";
import { validateIdRule, validateRunAsGroup } from "./strategy-validation.js";
import { validateNoSysctlOverlap, validateSysctlPatterns } from "./sysctl-validation.js";
import { volumeKinds } from "./volume-kinds.js";

const path = FieldPath.of("spec");
const specRules = fieldRules<PodSecurityPolicySpec>(policyV1beta1Types, "PodSecurityPolicySpec");
const flexVolumeRules = fieldRules<AllowedFlexVolume>(policyV1beta1Types, "AllowedFlexVolume");
const classRules = fieldRules<RuntimeClassStrategyOptions>(policyV1beta1Types, "RuntimeClassStrategyOptions");
const userRules = fieldRules<RunAsUserStrategyOptions>(policyV1beta1Types, "RunAsUserStrategyOptions");
const seLinuxRules = fieldRules<SELinuxStrategyOptions>(policyV1beta1Types, "SELinuxStrategyOptions");
const groupRules = fieldRules<SupplementalGroupsStrategyOptions>(
  policyV1beta1Types,
  "SupplementalGroupsStrategyOptions",
);
const fsGroupRules = fieldRules<FSGroupStrategyOptions>(policyV1beta1Types, "FSGroupStrategyOptions");

/** The same rules apply to creates and updates. */
export function validatePodSecurityPolicy(
  { metadata, spec }: PodSecurityPolicy,
  naming: Naming,
): FieldError[] {
  const allowedSysctls = {
    sysctls: spec.allowedUnsafeSysctls ?? [],
    path: path.child("allowedUnsafeSysctls"),
  };
  const forbiddenSysctls = { sysctls: spec.forbiddenSysctls ?? [], path: path.child("forbiddenSysctls") };
  return [
    ...validateProfileAnnotations(
      metadata.annotations ?? {},
      FieldPath.of("metadata", "annotations"),
      naming,
    ),
    ...validateIdRule(spec.runAsUser, userRules.supported("rule"), path.child("runAsUser")),
    ...validateRunAsGroup(spec.runAsGroup, path.child("runAsGroup")),
    ...validateIdRule({ rule: spec.seLinux.rule }, seLinuxRules.supported("rule"), path.child("seLinux")),
    ...validateIdRule(
      spec.supplementalGroups,
      groupRules.supported("rule"),
      path.child("supplementalGroups"),
    ),
    ...validateIdRule(spec.fsGroup, fsGroupRules.supported("rule"), path.child("fsGroup")),
    ...(spec.volumes ?? [])
      .filter((kind) => !volumeKinds.includes(kind))
      .map((kind) => notSupported(path.child("volumes"), kind, volumeKinds)),
    ...validateCapabilities(spec),
    ...validateEscalation(spec),
    ...specRules.check(spec, path, "allowedProcMountTypes"),
    ...validateHostPaths(spec.allowedHostPaths ?? [], path.child("allowedHostPaths")),
    // Kubernetes repeats the names of both lists in their paths.
    ...errorsOfEach(spec.allowedFlexVolumes, (volume, index) => {
      const at = path.child("allowedFlexVolumes", "allowedFlexVolumes").index(index);
      return flexVolumeRules.check(volume, at, "driver");
    }),
    ...errorsOfEach(spec.allowedCSIDrivers, ({ name }, index) =>
      validateDriverName(
        name,
        path.child("allowedCSIDrivers", "allowedCSIDriver").index(index).child("name"),
      ),
    ),
    ...validateSysctlPatterns(allowedSysctls.sysctls, allowedSysctls.path),
    ...validateSysctlPatterns(forbiddenSysctls.sysctls, forbiddenSysctls.path),
    ...validateNoSysctlOverlap(allowedSysctls, forbiddenSysctls),
    ...validateRuntimeClasses(spec.runtimeClass, path.child("runtimeClass")),
  ];
}

/** Kubernetes reports these without `spec` in the path. */
function validateCapabilities(spec: PodSecurityPolicySpec): FieldError[] {
  const {
    requiredDropCapabilities: dropped = [],
    allowedCapabilities = [],
    defaultAddCapabilities = [],
  } = spec;
  const errors: FieldError[] = [];
  if (dropped.length > 0 && allowedCapabilities.includes("*")) {
    const items = dropped.map((capability) => JSON.stringify(capability)).join(", ");
    const why = "must be empty when all capabilities are allowed by a wildcard";
    const printed = new PrintedValue(`[]core.Capability{${items}}`);
    errors.push(invalid(FieldPath.of("requiredDropCapabilities"), printed, why));
  }
  const isDropped = new Set(dropped);
  for (const [name, capabilities] of Object.entries({ defaultAddCapabilities, allowedCapabilities })) {
    const why = `capability is listed in ${name} and requiredDropCapabilities`;
    append(
      errors,
      errorsOfEach(capabilities, (capability) =>
        isDropped.has(capability) ? [invalid(FieldPath.of(name), capability, why)] : [],
      ),
    );
  }
  return errors;
}

function validateEscalation(spec: PodSecurityPolicySpec): FieldError[] {
  if (spec.defaultAllowPrivilegeEscalation !== true || spec.allowPrivilegeEscalation === true) return [];
  const why =
    "Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true";
  return [invalid(path.child("defaultAllowPrivilegeEscalation"), true, why)];
}

function validateHostPaths(allowed: readonly AllowedHostPath[], at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { pathPrefix = "" }] of allowed.entries()) {
    // Kubernetes stops here.
    if (pathPrefix === "") return [...errors, required(at.index(index), "is required")];
    if (hasBacksteps(pathPrefix)) errors.push(invalid(at.index(index), pathPrefix, "must not contain '..'"));
  }
  return errors;
}

function validateRuntimeClasses(
  options: RuntimeClassStrategyOptions | undefined,
  at: FieldPath,
): FieldError[] {
  if (options === undefined) return [];
  const { allowedRuntimeClassNames: names = [], defaultRuntimeClassName: usual } = options;
  const namesPath = at.child("allowedRuntimeClassNames");
  const seen = new Set<string>();
  const errors = errorsOfEach(names, (name, index) => {
    const found = name === "*" ? [] : validateObjectName(name, namesPath.index(index));
    if (seen.has(name)) found.push(duplicate(namesPath.index(index), name));
    seen.add(name);
    return found;
  });
  if (usual !== undefined) {
    append(errors, classRules.check(options, at, "defaultRuntimeClassName"));
    if (!names.includes(usual) && !names.includes("*")) {
      errors.push(required(namesPath, `default ${JSON.stringify(usual)} must be allowed`));
    }
  }
  if (names.includes("*") && names.length > 1) {
    const why = "if '*' is present, must not specify other RuntimeClass names";
    errors.push(invalid(namesPath, names, why));
  }
  return errors;
}
