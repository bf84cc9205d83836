import { type FieldError, FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import type { AnyContainer } from "../../apis/core/pod-spec/containers.js";
import type { Pod, PodSecurityContext, SecurityContext } from "../../apis/gen/core-v1.js";
import type { PodSecurityPolicySpec } from "../../apis/gen/policy-v1beta1.js";
import { groupRule, type IdRule, isInRanges, printRanges } from "./id-ranges.js";
import type { ContainerRule, PodRule } from "./rules.js";

const contextPath = FieldPath.of("spec", "securityContext");

/** The container's setting, or else the pod's. */
export function effective<K extends keyof SecurityContext & keyof PodSecurityContext>(
  field: K,
  container: AnyContainer,
  pod: Pod,
): SecurityContext[K] | PodSecurityContext[K] {
  return container.securityContext?.[field] ?? pod.spec.securityContext?.[field];
}

/** The user that containers run as. Undefined for an unusable rule. */
export function userRule({ rule, ranges = [] }: IdRule): ContainerRule | undefined {
  switch (rule) {
    case "RunAsAny":
      return { problems: () => [] };
    case "MustRunAs": {
      const usual = ranges[0]?.min;
      if (usual === undefined) return undefined;
      return {
        setDefaults(container, pod) {
          if (effective("runAsUser", container, pod) !== undefined) return;
          container.securityContext = { ...container.securityContext, runAsUser: usual };
        },
        problems(container, pod, path) {
          const at = path.child("securityContext", "runAsUser");
          const user = effective("runAsUser", container, pod);
          if (user === undefined) return [required(at, "")];
          if (isInRanges(user, ranges)) return [];
          return [invalid(at, user, `must be in the ranges: ${printRanges(ranges)}`)];
        },
      };
    }
    case "MustRunAsNonRoot":
      return {
        // The node agent then checks the image's user.
        setDefaults(container, pod) {
          if (effective("runAsNonRoot", container, pod) !== undefined) return;
          if (effective("runAsUser", container, pod) !== undefined) return;
          container.securityContext = { ...container.securityContext, runAsNonRoot: true };
        },
        problems: notRootProblems,
      };
    default:
      return undefined;
  }
}

function notRootProblems(container: AnyContainer, pod: Pod, path: FieldPath): readonly FieldError[] {
  const isNonRoot = effective("runAsNonRoot", container, pod);
  const user = effective("runAsUser", container, pod);
  const nonRootPath = path.child("securityContext", "runAsNonRoot");
  if (isNonRoot === undefined && user === undefined) return [required(nonRootPath, "must be true")];
  if (isNonRoot === false) return [invalid(nonRootPath, false, "must be true")];
  if (user !== undefined && BigInt(user) === 0n) {
    const at = path.child("securityContext", "runAsUser");
    return [invalid(at, user, "running with the root UID is forbidden")];
  }
  return [];
}

/** The group that containers run as. Undefined for an unusable rule. */
export function runAsGroupRule(options: PodSecurityPolicySpec["runAsGroup"]): ContainerRule | undefined {
  const rule = groupRule(options);
  if (rule === undefined) return undefined;
  return {
    setDefaults(container, pod) {
      if (rule.usual === undefined || effective("runAsGroup", container, pod) !== undefined) return;
      container.securityContext = { ...container.securityContext, runAsGroup: rule.usual };
    },
    problems(container, pod, path) {
      const group = effective("runAsGroup", container, pod);
      return rule.problems(group === undefined ? [] : [group], path.child("securityContext"));
    },
  };
}

/** The group that owns the pod's volumes. Undefined for an unusable rule. */
export function fsGroupRule(options: IdRule): PodRule | undefined {
  const rule = groupRule(options);
  if (rule === undefined) return undefined;
  return {
    setDefaults({ spec }) {
      if (rule.usual === undefined || spec.securityContext?.fsGroup !== undefined) return;
      spec.securityContext = { ...spec.securityContext, fsGroup: rule.usual };
    },
    problems({ spec }) {
      const group = spec.securityContext?.fsGroup;
      return rule.problems(group === undefined ? [] : [group], contextPath.child("fsGroup"));
    },
  };
}

/** Supplemental groups. Undefined for an unusable rule. */
export function supplementalGroupsRule(options: IdRule): PodRule | undefined {
  const rule = groupRule(options);
  if (rule === undefined) return undefined;
  return {
    setDefaults({ spec }) {
      if (rule.usual === undefined || spec.securityContext?.supplementalGroups !== undefined) return;
      spec.securityContext = { ...spec.securityContext, supplementalGroups: [rule.usual] };
    },
    problems: ({ spec }) =>
      rule.problems(spec.securityContext?.supplementalGroups ?? [], contextPath.child("supplementalGroups")),
  };
}
