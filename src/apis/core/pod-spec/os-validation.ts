import { type FieldError, type FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodOS, PodSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { placedContainers } from "./containers.js";

const rules = fieldRules<PodOS>(coreV1Types, "PodOS");

/** A pod that names its operating system must not have settings of another. */
export function validateOs(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const { name } = spec.os;
  const osPath = path.child("os");
  if (name === "") return rules.check(spec.os, osPath, "name");
  if (name === "linux") return validateLinux(spec, path);
  if (name === "windows") return validateWindows(spec, path);
  // The path is Kubernetes'.
  return rules.checkValue("name", name, osPath);
}

function validateLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const why = "windows options cannot be set for a linux pod";
  if (spec.securityContext?.windowsOptions !== undefined) {
    errors.push(forbidden(path.child("securityContext", "windowsOptions"), why));
  }
  for (const { container, path: at } of placedContainers(spec, path)) {
    if (container.securityContext?.windowsOptions === undefined) continue;
    errors.push(forbidden(at.child("securityContext", "windowsOptions"), why));
  }
  return errors;
}

function validateWindows(spec: PodSpec, path: FieldPath): FieldError[] {
  const context = spec.securityContext ?? {};
  const contextPath = path.child("securityContext");
  const refused: [path: FieldPath, value: unknown][] = [
    [contextPath.child("appArmorProfile"), context.appArmorProfile],
    [contextPath.child("seLinuxOptions"), context.seLinuxOptions],
    [path.child("hostUsers"), spec.hostUsers],
    [path.child("hostPID"), spec.hostPID],
    [path.child("hostIPC"), spec.hostIPC],
    [contextPath.child("seccompProfile"), context.seccompProfile],
    [contextPath.child("fsGroup"), context.fsGroup],
    [contextPath.child("fsGroupChangePolicy"), context.fsGroupChangePolicy],
    [contextPath.child("sysctls"), context.sysctls],
    [path.child("shareProcessNamespace"), spec.shareProcessNamespace],
    [contextPath.child("runAsUser"), context.runAsUser],
    [contextPath.child("runAsGroup"), context.runAsGroup],
    [contextPath.child("supplementalGroups"), context.supplementalGroups],
    [contextPath.child("supplementalGroupsPolicy"), context.supplementalGroupsPolicy],
    [contextPath.child("seLinuxChangePolicy"), context.seLinuxChangePolicy],
  ];
  for (const { container, path: at } of placedContainers(spec, path)) {
    for (const field of linuxContainerFields) {
      refused.push([at.child("securityContext", field), container.securityContext?.[field]]);
    }
  }
  return refused
    .filter(([, value]) => value !== undefined)
    .map(([at]) => forbidden(at, "cannot be set for a windows pod"));
}

const linuxContainerFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const;
