import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const certificatesV1Types = typePackage("certificates/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    CertificateSigningRequest: {
      kind: "CertificateSigningRequest",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "certificates/v1.CertificateSigningRequestSpec" },
        status: {
          number: 3,
          type: "certificates/v1.CertificateSigningRequestStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    CertificateSigningRequestSpec: {
      fields: {
        request: { number: 1, type: "bytes", before: { "1.35": { listType: "atomic" } } },
        signerName: { number: 7, type: "string" },
        expirationSeconds: {
          number: 8,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 600, range: "may not specify a duration less than 600 seconds (10 minutes)" },
        },
        usages: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          listType: "atomic",
          enum: [
            "signing",
            "digital signature",
            "content commitment",
            "key encipherment",
            "key agreement",
            "data encipherment",
            "cert sign",
            "crl sign",
            "encipher only",
            "decipher only",
            "any",
            "server auth",
            "client auth",
            "code signing",
            "email protection",
            "s/mime",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "timestamping",
            "ocsp signing",
            "microsoft sgc",
            "netscape sgc",
          ],
          elementName: "v1.KeyUsage",
          rules: { required: { until: "1.26", detail: "usages must be provided" } },
        },
        username: { number: 2, type: "string", omitempty: true, optional: true },
        uid: { number: 3, type: "string", omitempty: true, optional: true },
        groups: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        extra: {
          number: 6,
          type: "StringList",
          map: true,
          omitempty: true,
          optional: true,
          elementName: "v1.ExtraValue",
        },
      },
    },
    CertificateSigningRequestStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "certificates/v1.CertificateSigningRequestCondition",
          list: true,
          omitempty: true,
          optional: true,
          listType: "map",
          listMapKeys: ["type"],
        },
        certificate: {
          number: 2,
          type: "bytes",
          omitempty: true,
          optional: true,
          before: { "1.35": { listType: "atomic" } },
        },
      },
    },
    CertificateSigningRequestCondition: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v1.RequestConditionType",
          rules: { required: true },
        },
        status: {
          number: 6,
          type: "string",
          elementName: "core/v1.ConditionStatus",
          rules: { required: true, supported: ["False", "True", "Unknown"] },
        },
        reason: { number: 2, type: "string", omitempty: true, optional: true },
        message: { number: 3, type: "string", omitempty: true, optional: true },
        lastUpdateTime: { number: 4, type: "Time", omitempty: true, optional: true },
        lastTransitionTime: { number: 5, type: "Time", omitempty: true, optional: true },
      },
    },
    CertificateSigningRequestList: listKind("certificates/v1.CertificateSigningRequest"),
  };
}
