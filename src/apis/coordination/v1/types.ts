import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const coordinationV1Types = typePackage("coordination/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Lease: {
      kind: "Lease",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "coordination/v1.LeaseSpec", omitempty: true, optional: true },
      },
    },
    LeaseSpec: {
      fields: {
        holderIdentity: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        leaseDurationSeconds: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1 },
        },
        acquireTime: { number: 3, type: "MicroTime", pointer: true, omitempty: true, optional: true },
        renewTime: { number: 4, type: "MicroTime", pointer: true, omitempty: true, optional: true },
        leaseTransitions: {
          number: 5,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        strategy: {
          number: 6,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "CoordinatedLeaderElection",
          since: "1.31",
          elementName: "v1.CoordinatedLeaseStrategy",
        },
        preferredHolder: {
          number: 7,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "CoordinatedLeaderElection",
          since: "1.31",
        },
      },
    },
    LeaseList: listKind("coordination/v1.Lease"),
  };
}
