import { bindingHooks, policyHooks } from "../../registry/admissionregistration/param-access.js";
import type { KindBehaviour, KindParts } from "./kind-behaviour.js";

const group = "admissionregistration";

/** Writers of policies and bindings must be allowed to read the parameters. */
export const admissionPolicies: readonly KindBehaviour[] = (
  [
    ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
    ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"],
  ] as const
).flatMap(([policies, bindings]): KindBehaviour[] => [
  { group, resource: policies, hooks: (parts) => policyHooks(parts) },
  {
    group,
    resource: bindings,
    hooks: (parts) => bindingHooks(parts, (name) => policyNamed(parts, policies, name)),
  },
]);

async function policyNamed(
  { builtin }: KindParts,
  policies: "validatingadmissionpolicies" | "mutatingadmissionpolicies",
  name: string,
) {
  const found = await builtin(`${policies}.admissionregistration`).find("", name, { kind: "mostRecent" });
  return found?.decode();
}
