import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateLocalDescendingPath } from "../../checks/relative-paths.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { validateAppArmorProfile } from "./app-armor-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { printSeccompProfile, printSecurityContext } from "./printed-values.js";
import { hostNamespaceOfSysctl } from "./sysctl-validation.js";
import { validateWindowsOptions } from "./windows-validation.js";

const sysctlNameMax = 253;
const sysctlSegment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctlFormat = `(${sysctlSegment}\\.)*${sysctlSegment}`;
const sysctlSlashFormat = `(${sysctlSegment}[\\./])*${sysctlSegment}`;
const sysctlName = new RegExp(`^${sysctlFormat}$`);
const sysctlSlashName = new RegExp(`^${sysctlSlashFormat}$`);

const podContextRules = fieldRules<PodSecurityContext>(coreV1Types, "PodSecurityContext");
const contextRules = fieldRules<SecurityContext>(coreV1Types, "SecurityContext");
const seccompRules = fieldRules<SeccompProfile>(coreV1Types, "SeccompProfile");

/** `specPath` is that of the spec, whose fields for host namespaces are validated here too. */
export function validatePodSecurityContext(
  spec: PodSpec,
  specPath: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { securityContext: context } = spec;
  if (context === undefined) return [];
  const path = specPath.child("securityContext");
  const errors = isAtLeast(options.level, "1.28")
    ? []
    : validateHostNetworkPorts(spec, specPath.child("containers"));
  append(
    errors,
    podContextRules.check(context, path, "fsGroup", "runAsUser", "runAsGroup", "supplementalGroups"),
  );
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.push(
      invalid(
        path.child("shareProcessNamespace"),
        true,
        "ShareProcessNamespace and HostPID cannot both be enabled",
      ),
    );
  }
  append(errors, validateSysctls(context.sysctls, path.child("sysctls"), spec, options));
  return [
    ...errors,
    ...podContextRules.check(context, path, "fsGroupChangePolicy"),
    ...validateSeccompProfile(context.seccompProfile, path.child("seccompProfile")),
    ...validateWindowsOptions(context.windowsOptions, path.child("windowsOptions")),
    ...validateAppArmorProfile(context.appArmorProfile, path.child("appArmorProfile")),
    ...podContextRules.check(context, path, "supplementalGroupsPolicy"),
    ...validateSeLinuxChange(context.seLinuxChangePolicy, path.child("seLinuxChangePolicy"), options),
  ];
}

function validateSeLinuxChange(
  policy: string | undefined,
  path: FieldPath,
  { allowAnySeLinuxChangePolicy }: PodValidationOptions,
): FieldError[] {
  const supported = allowAnySeLinuxChangePolicy ? ["MountOption", "Recursive"] : ["Recursive"];
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

/** In the host network, container ports are host ports. Templates get theirs when the pod is created. */
export function validateHostPorts(
  spec: PodSpec,
  path: FieldPath,
  { isPod }: PodValidationOptions,
): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return errorsOfEach(spec.containers, (container, index) =>
    errorsOfEach(container.ports, ({ hostPort = 0, containerPort }, portIndex) => {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) return [];
      const at = path.index(index).child("ports").index(portIndex).child("hostPort");
      return [invalid(at, hostPort, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}

function validateHostNetworkPorts(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return errorsOfEach(spec.containers, (container, index) =>
    errorsOfEach(container.ports, ({ hostPort = 0, containerPort }, portIndex) =>
      hostPort === containerPort
        ? []
        : [
            invalid(
              path.index(index).child("ports").index(portIndex).child("containerPort"),
              containerPort,
              "must match `hostPort` when `hostNetwork` is true",
            ),
          ],
    ),
  );
}

export function validateSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  options: PodValidationOptions,
  spec: PodSpec,
): FieldError[] {
  if (context === undefined) return [];
  const errors: FieldError[] = [];
  const { privileged, seccompProfile, capabilities } = context;
  if (privileged === true && !options.allowPrivileged) {
    errors.push(forbidden(path.child("privileged"), "disallowed by cluster policy"));
  }
  append(errors, contextRules.check(context, path, "runAsUser", "runAsGroup", "procMount"));
  if (context.procMount === "Unmasked" && spec.hostUsers !== false && isAtLeast(options.level, "1.30")) {
    errors.push(invalid(path.child("procMount"), "Unmasked", "`hostUsers` must be false to use `Unmasked`"));
  }
  append(errors, validateSeccompProfile(seccompProfile, path.child("seccompProfile")));
  if (context.allowPrivilegeEscalation === false) {
    if (privileged === true) {
      const why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
      errors.push(invalid(path, printSecurityContext(context, options.level), why));
    }
    for (const capability of capabilities?.add ?? []) {
      if (capability !== "CAP_SYS_ADMIN") continue;
      const why = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
      errors.push(invalid(path, printSecurityContext(context, options.level), why));
    }
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, path.child("windowsOptions")),
    ...validateAppArmorProfile(context.appArmorProfile, path.child("appArmorProfile")),
  ];
}

function validateSeccompProfile(profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const errors = seccompRules.check(profile, path, "type");
  const profilePath = path.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined) {
      errors.push(required(profilePath, "must be set when seccomp type is Localhost"));
    } else append(errors, validateLocalDescendingPath(localhostProfile, profilePath));
  } else if (localhostProfile !== undefined) {
    errors.push(
      invalid(profilePath, printSeccompProfile(profile), "can only be set when seccomp type is Localhost"),
    );
  }
  return errors;
}

function validateSysctls(
  sysctls: readonly Sysctl[] | undefined,
  path: FieldPath,
  spec: PodSpec,
  { allowSysctlSlash, allowHostSysctls, level }: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const isLater = isAtLeast(level, "1.25");
  const pattern = allowSysctlSlash || isLater ? sysctlSlashName : sysctlName;
  const firstFormat = allowSysctlSlash ? sysctlSlashFormat : sysctlFormat;
  const format = isLater ? `^${sysctlSlashFormat}$` : firstFormat;
  for (const [index, { name }] of (sysctls ?? []).entries()) {
    const at = path.index(index).child("name");
    if (name === "") errors.push(required(at, ""));
    else if (name.length > sysctlNameMax || !pattern.test(name)) {
      const why = `must have at most ${sysctlNameMax} characters and match regex ${format}`;
      errors.push(invalid(at, name, why));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    const shared = allowHostSysctls ? undefined : hostNamespaceOfSysctl(name, spec);
    if (shared !== undefined) errors.push(invalid(at, name, `may not be specified when '${shared}' is true`));
    seen.add(name);
  }
  return errors;
}
