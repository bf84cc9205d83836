import { invalid } from "../../apimachinery/errors/field-error.js";
import type { PodSecurityPolicySpec } from "../../apis/gen/policy-v1beta1.js";
import type { ContainerRule } from "./rules.js";

export function privilegedRule(isAllowed: boolean | undefined): ContainerRule {
  return {
    problems({ securityContext }, _pod, path) {
      if (securityContext?.privileged !== true || isAllowed === true) return [];
      const at = path.child("securityContext", "privileged");
      return [invalid(at, true, "Privileged containers are not allowed")];
    },
  };
}

export function procMountRule(types: readonly string[] = []): ContainerRule {
  const allowed = types.length === 0 ? ["Default"] : types;
  return {
    problems({ securityContext }, _pod, path) {
      const type = securityContext?.procMount ?? "Default";
      if (allowed.includes(type)) return [];
      return [invalid(path.child("securityContext", "procMount"), type, "ProcMountType is not allowed")];
    },
  };
}

export function readOnlyRootRule(isRequired: boolean | undefined): ContainerRule {
  if (isRequired !== true) return { problems: () => [] };
  return {
    setDefaults(container) {
      if (container.securityContext?.readOnlyRootFilesystem !== undefined) return;
      container.securityContext = { ...container.securityContext, readOnlyRootFilesystem: true };
    },
    problems({ securityContext }, _pod, path) {
      const isReadOnly = securityContext?.readOnlyRootFilesystem;
      if (isReadOnly === true) return [];
      const at = path.child("securityContext", "readOnlyRootFilesystem");
      const may = isReadOnly === undefined ? "may not be nil and " : "";
      return [invalid(at, isReadOnly, `ReadOnlyRootFilesystem ${may}must be set to true`)];
    },
  };
}

export function escalationRule({
  allowPrivilegeEscalation = true,
  defaultAllowPrivilegeEscalation,
}: Pick<
  PodSecurityPolicySpec,
  "allowPrivilegeEscalation" | "defaultAllowPrivilegeEscalation"
>): ContainerRule {
  const usual = defaultAllowPrivilegeEscalation ?? (allowPrivilegeEscalation ? undefined : false);
  return {
    setDefaults(container) {
      if (usual === undefined || container.securityContext?.allowPrivilegeEscalation !== undefined) return;
      container.securityContext = { ...container.securityContext, allowPrivilegeEscalation: usual };
    },
    problems({ securityContext }, _pod, path) {
      const asked = securityContext?.allowPrivilegeEscalation;
      if (allowPrivilegeEscalation || asked === false) return [];
      const at = path.child("securityContext", "allowPrivilegeEscalation");
      return [invalid(at, asked, "Allowing privilege escalation for containers is not allowed")];
    },
  };
}
