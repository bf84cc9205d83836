import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Ingress } from "../../gen/networking-v1.js";
import { ingressColumns } from "./columns.js";
import {
  ingressStatusWarnings,
  ingressWarnings,
  validateIngressCreate,
  validateIngressStatus,
  validateIngressUpdate,
} from "./validation.js";

export function ingresses(context: ApiContext): ResourceDefinition<Ingress> {
  const main = specStrategy<Ingress>({
    emptyStatus: () => ({ loadBalancer: {} }),
    validate: (_context, object) => validateIngressCreate(object, context),
    validateUpdate: (_context, object, old) => validateIngressUpdate(object, old, context),
    warningsOnCreate: (_context, object) => ingressWarnings(context, object),
  });
  return defineResource<Ingress>({
    group: context.naming.group("networking"),
    resource: "ingresses",
    kind: "Ingress",
    // The group with which Kubernetes registered the type first.
    invalidKind: isAtLeast(context.level, "1.26") ? undefined : { group: "extensions", kind: "Ingress" },
    namespaced: true,
    shortNames: ["ing"],
    versions: [hub<Ingress>(context, { version: "v1", type: "networking/v1.Ingress" })],
    storage: { version: "v1", prefix: "/ingress" },
    strategy: main,
    subresources: [
      statusPart<Ingress>(main, {
        validateUpdate: (_context, object, old) => validateIngressStatus(object, old, context),
        warningsOnUpdate: (_context, object) => ingressStatusWarnings(context, object),
      }),
    ],
    columns: ingressColumns,
  });
}
