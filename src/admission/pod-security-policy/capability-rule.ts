import { type FieldError, invalid } from "../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import type { Capabilities } from "../../apis/gen/core-v1.js";
import type { PodSecurityPolicySpec } from "../../apis/gen/policy-v1beta1.js";
import type { ContainerRule } from "./rules.js";

type Lists = Pick<
  PodSecurityPolicySpec,
  "defaultAddCapabilities" | "requiredDropCapabilities" | "allowedCapabilities"
>;

/** Capabilities that containers get by default, must drop, and may add. */
export function capabilityRule({
  defaultAddCapabilities: added = [],
  requiredDropCapabilities: dropped = [],
  allowedCapabilities: allowed = [],
}: Lists): ContainerRule {
  const mayAdd = new Set([...added, ...allowed]);
  return {
    setDefaults(container) {
      const capabilities = withDefaults(container.securityContext?.capabilities, added, dropped);
      if (capabilities === undefined) return;
      container.securityContext = { ...container.securityContext, capabilities };
    },
    problems(container, _pod, path) {
      const at = path.child("securityContext", "capabilities");
      const asked = container.securityContext?.capabilities;
      if (asked === undefined) {
        if (added.length === 0 && dropped.length === 0) return [];
        return [invalid(at, undefined, "required capabilities are not set on the securityContext")];
      }
      if (allowed.includes("*")) return [];
      const errors: FieldError[] = (asked.add ?? [])
        .filter((capability) => !mayAdd.has(capability))
        .map((capability) => invalid(at.child("add"), capability, "capability may not be added"));
      const missing = dropped.filter((capability) => !asked.drop?.includes(capability));
      for (const capability of missing) {
        const why = `${capability} is required to be dropped but was not found`;
        errors.push(invalid(at.child("drop"), printed(asked.drop ?? []), why));
      }
      return errors;
    },
  };
}

/** Undefined when nothing changes. */
function withDefaults(
  { add = [], drop = [] }: Capabilities = {},
  added: readonly string[],
  dropped: readonly string[],
): Capabilities | undefined {
  const [adds, drops] = [new Set(add), new Set(drop)];
  const [hadAdds, hadDrops] = [adds.size, drops.size];
  // A capability that the container drops is not added.
  for (const capability of added) if (!drops.has(capability)) adds.add(capability);
  for (const capability of dropped) drops.add(capability);
  if (adds.size === hadAdds && drops.size === hadDrops) return undefined;
  return {
    ...(adds.size > 0 && { add: [...adds].sort() }),
    ...(drops.size > 0 && { drop: [...drops].sort() }),
  };
}

function printed(capabilities: readonly string[]): PrintedValue {
  if (capabilities.length === 0) return new PrintedValue("[]core.Capability(nil)");
  return new PrintedValue(
    `[]core.Capability{${capabilities.map((each) => JSON.stringify(each)).join(", ")}}`,
  );
}
