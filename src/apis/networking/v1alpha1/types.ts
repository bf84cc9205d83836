import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { networkingV1beta1Types } from "../v1beta1/types.js";

/** The same as v1beta1, and the ranges from which nodes get the addresses of their pods. */
export const networkingV1alpha1Types: TypePackage = siblingVersion(
  "networking/v1alpha1",
  networkingV1beta1Types,
  () => ({
    changed: {
      ParentReference: {
        fields: {
          uid: { number: 5, type: "string", omitempty: true, optional: true, until: "1.29" },
          resource: { before: { "1.30": { required: undefined } } },
          name: { before: { "1.30": { required: undefined } } },
        },
      },
      IPAddressSpec: { fields: { parentRef: { before: { "1.30": { required: undefined } } } } },
      ServiceCIDRSpec: { fields: { cidrs: { before: { "1.30": { listType: undefined } } } } },
    },
    types: {
      ClusterCIDR: {
        kind: "ClusterCIDR",
        fields: {
          metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
          spec: { number: 2, type: "networking/v1alpha1.ClusterCIDRSpec", omitempty: true, optional: true },
        },
      },
      ClusterCIDRList: listKind("networking/v1alpha1.ClusterCIDR"),
      ClusterCIDRSpec: {
        fields: {
          nodeSelector: {
            number: 1,
            type: "core/v1.NodeSelector",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { immutable: true },
          },
          perNodeHostBits: {
            number: 2,
            type: "int32",
            rules: { min: 4, range: "must be greater than or equal to 4", immutable: true },
          },
          ipv4: { number: 3, type: "string", optional: true, rules: { immutable: true } },
          ipv6: { number: 4, type: "string", optional: true, rules: { immutable: true } },
        },
      },
    },
  }),
);
