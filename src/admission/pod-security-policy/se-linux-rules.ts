import { type FieldError, FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import type { SELinuxOptions } from "../../apis/gen/core-v1.js";
import type { SELinuxStrategyOptions } from "../../apis/gen/policy-v1beta1.js";
import { effective } from "./identity-rules.js";
import type { ContainerRule, PodRule } from "./rules.js";

/** SELinux labels of pods and containers. Undefined for an unusable rule. */
export function seLinuxRules({
  rule,
  seLinuxOptions,
}: SELinuxStrategyOptions): { readonly pod: PodRule; readonly container: ContainerRule } | undefined {
  if (rule === "RunAsAny") return { pod: { problems: () => [] }, container: { problems: () => [] } };
  if (rule !== "MustRunAs" || seLinuxOptions === undefined) return undefined;
  return {
    pod: {
      setDefaults({ spec }) {
        if (spec.securityContext?.seLinuxOptions !== undefined) return;
        spec.securityContext = { ...spec.securityContext, seLinuxOptions: { ...seLinuxOptions } };
      },
      problems({ spec }) {
        const path = FieldPath.of("spec", "securityContext", "seLinuxOptions");
        return problemsOf(spec.securityContext?.seLinuxOptions, seLinuxOptions, path);
      },
    },
    // Containers inherit the label of their pod.
    container: {
      problems: (container, pod, path) =>
        problemsOf(
          effective("seLinuxOptions", container, pod),
          seLinuxOptions,
          path.child("securityContext", "seLinuxOptions"),
        ),
    },
  };
}

function problemsOf(
  found: SELinuxOptions | undefined,
  wanted: SELinuxOptions,
  path: FieldPath,
): readonly FieldError[] {
  if (found === undefined) return [required(path, "")];
  return (["level", "role", "type", "user"] as const).flatMap((field) => {
    const [is, must] = [found[field] ?? "", wanted[field] ?? ""];
    const isSame = field === "level" ? isSameLevel(is, must) : is === must;
    return isSame ? [] : [invalid(path.child(field), is, `must be ${must}`)];
  });
}

/** `s0:c6,c0` and `s0-s0:c0,c6` are the same level. */
function isSameLevel(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [levelOf(one), levelOf(other)];
  return a !== undefined && a === b;
}

/** In canonical form; undefined without a sensitivity and categories. */
function levelOf(text: string): string | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  const [from = "", to] = text.slice(0, colon).split("-");
  const categories = text
    .slice(colon + 1)
    .split(",")
    .sort();
  return `${to === undefined || to === from ? from : `${from}-${to}`}:${categories.join(",")}`;
}
