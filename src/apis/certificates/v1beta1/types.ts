import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const certificatesV1beta1Types = typePackage("certificates/v1beta1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ClusterTrustBundle: {
      kind: "ClusterTrustBundle",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "certificates/v1beta1.ClusterTrustBundleSpec" },
      },
    },
    ClusterTrustBundleList: listKind("certificates/v1beta1.ClusterTrustBundle"),
    ClusterTrustBundleSpec: {
      fields: {
        signerName: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        trustBundle: { number: 2, type: "string", rules: { maxBytes: 1024 * 1024 } },
      },
    },
    PodCertificateRequest: {
      kind: "PodCertificateRequest",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "certificates/v1beta1.PodCertificateRequestSpec",
          rules: { immutable: true },
        },
        status: {
          number: 3,
          type: "certificates/v1beta1.PodCertificateRequestStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    PodCertificateRequestList: listKind("certificates/v1beta1.PodCertificateRequest"),
    PodCertificateRequestSpec: {
      fields: {
        signerName: { number: 1, type: "string" },
        podName: { number: 2, type: "string", rules: { format: "dnsSubdomain" } },
        podUID: { number: 3, type: "string", elementName: "types.UID", rules: { maxBytes: 128 } },
        serviceAccountName: { number: 4, type: "string", rules: { format: "dnsSubdomain" } },
        serviceAccountUID: { number: 5, type: "string", elementName: "types.UID", rules: { maxBytes: 128 } },
        nodeName: {
          number: 6,
          type: "string",
          elementName: "types.NodeName",
          rules: { format: "dnsSubdomain" },
        },
        nodeUID: { number: 7, type: "string", elementName: "types.UID", rules: { maxBytes: 128 } },
        maxExpirationSeconds: {
          number: 8,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          default: 86400,
          rules: { required: "must be set" },
        },
        pkixPublicKey: {
          number: 9,
          type: "bytes",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        proofOfPossession: {
          number: 10,
          type: "bytes",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        stubPKCS10Request: { number: 12, type: "bytes", since: "1.36" },
        unverifiedUserAnnotations: { number: 11, type: "string", map: true, omitempty: true },
      },
    },
    PodCertificateRequestStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "meta/v1.Condition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
        certificateChain: { number: 2, type: "string", omitempty: true, optional: true },
        notBefore: { number: 4, type: "Time", pointer: true, omitempty: true, optional: true },
        beginRefreshAt: { number: 5, type: "Time", pointer: true, omitempty: true, optional: true },
        notAfter: { number: 6, type: "Time", pointer: true, omitempty: true, optional: true },
      },
    },
  };
}
