import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const coordinationV1beta1Types = typePackage("coordination/v1beta1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    LeaseCandidate: {
      kind: "LeaseCandidate",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "coordination/v1beta1.LeaseCandidateSpec",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined, optional: true } },
        },
      },
    },
    LeaseCandidateList: listKind("coordination/v1beta1.LeaseCandidate"),
    LeaseCandidateSpec: {
      fields: {
        leaseName: { number: 1, type: "string", rules: { required: true, immutable: true } },
        pingTime: { number: 2, type: "MicroTime", pointer: true, omitempty: true, optional: true },
        renewTime: { number: 3, type: "MicroTime", pointer: true, omitempty: true, optional: true },
        binaryVersion: { number: 4, type: "string", rules: { required: true } },
        emulationVersion: { number: 5, type: "string", omitempty: true, optional: true },
        strategy: {
          number: 6,
          type: "string",
          elementName: "coordination/v1.CoordinatedLeaseStrategy",
          omitempty: true,
          required: true,
          rules: { required: true },
        },
      },
    },
  };
}
