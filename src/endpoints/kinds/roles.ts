import { bindingHooks, roleHooks } from "../../registry/rbac/escalation-hooks.js";
import type { KindBehaviour } from "./kind-behaviour.js";

const group = "rbac.authorization";

/** Writers of roles and bindings can grant no more than they hold. */
export const roles: readonly KindBehaviour[] = [
  ...(["roles", "clusterroles"] as const).map(
    (resource): KindBehaviour => ({
      group,
      resource,
      hooks: ({ escalation, level }) => escalation && roleHooks(resource, escalation, level),
    }),
  ),
  ...(["rolebindings", "clusterrolebindings"] as const).map(
    (resource): KindBehaviour => ({
      group,
      resource,
      hooks: ({ escalation, level }) => escalation && bindingHooks(resource, escalation, level),
    }),
  ),
];
