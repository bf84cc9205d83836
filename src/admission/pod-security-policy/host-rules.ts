import { type FieldError, FieldPath, forbidden, invalid } from "../../apimachinery/errors/field-error.js";
import { safeSysctls } from "../../apis/core/pod-spec/safe-sysctls.js";
import type {
  HostPortRange,
  PodSecurityPolicySpec,
  RuntimeClassStrategyOptions,
} from "../../apis/gen/policy-v1beta1.js";
import type { ContainerRule, PodRule } from "./rules.js";

const contextPath = FieldPath.of("spec", "securityContext");

/** Whether pods may use host namespaces. */
export function hostNamespacesRule(policy: PodSecurityPolicySpec): PodRule {
  const namespaces = [
    ["hostNetwork", "network"],
    ["hostPID", "PID"],
    ["hostIPC", "IPC"],
  ] as const;
  return {
    problems: ({ spec }) =>
      namespaces
        .filter(([field]) => spec[field] === true && policy[field] !== true)
        .map(([field, what]) =>
          invalid(contextPath.child(field), true, `Host ${what} is not allowed to be used`),
        ),
  };
}

/** Host ports that containers may use. */
export function hostPortRule(ranges: readonly HostPortRange[] = []): ContainerRule {
  const printed = ranges.map(({ min, max }) => (min === max ? `${min}` : `${min}-${max}`)).join(",");
  return {
    problems: ({ ports = [] }, _pod, path) =>
      ports.flatMap(({ hostPort = 0 }): readonly FieldError[] => {
        if (hostPort <= 0 || ranges.some(({ min, max }) => hostPort >= min && hostPort <= max)) return [];
        const why = `Host port ${hostPort} is not allowed to be used. Allowed ports: [${printed}]`;
        return [invalid(path.child("hostPort"), hostPort, why)];
      }),
  };
}

/** Sysctls that pods may set. A pattern that ends in `*` matches by prefix. */
export function sysctlRule({
  allowedUnsafeSysctls = [],
  forbiddenSysctls = [],
}: Pick<PodSecurityPolicySpec, "allowedUnsafeSysctls" | "forbiddenSysctls">): PodRule {
  const path = FieldPath.of("pod", "spec", "securityContext", "sysctls");
  return {
    problems: ({ spec }) =>
      (spec.securityContext?.sysctls ?? []).flatMap(({ name }, index): readonly FieldError[] => {
        if (isAmong(name, forbiddenSysctls)) {
          return [forbidden(path.index(index), `sysctl ${JSON.stringify(name)} is not allowed`)];
        }
        if (safeSysctls.includes(name) || isAmong(name, allowedUnsafeSysctls)) return [];
        return [forbidden(path.index(index), `unsafe sysctl ${JSON.stringify(name)} is not allowed`)];
      }),
  };
}

function isAmong(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/** Allowed and default runtime classes. */
export function runtimeClassRule(options: RuntimeClassStrategyOptions | undefined): PodRule {
  if (options === undefined) return { problems: () => [] };
  const { allowedRuntimeClassNames: allowed = [], defaultRuntimeClassName: usual } = options;
  return {
    setDefaults({ spec }) {
      if (spec.runtimeClassName === undefined && usual !== undefined) spec.runtimeClassName = usual;
    },
    problems({ spec: { runtimeClassName: name } }) {
      if (name === undefined || allowed.includes("*") || allowed.includes(name)) return [];
      return [invalid(FieldPath.of("spec", "runtimeClassName"), name, "")];
    },
  };
}
