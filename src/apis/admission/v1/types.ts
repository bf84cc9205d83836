import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const admissionV1Types = typePackage("admission/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    AdmissionReview: {
      kind: "AdmissionReview",
      fields: {
        request: {
          number: 1,
          type: "admission/v1.AdmissionRequest",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        response: {
          number: 2,
          type: "admission/v1.AdmissionResponse",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    AdmissionRequest: {
      fields: {
        uid: {
          number: 1,
          type: "string",
          optional: true,
          elementName: "types.UID",
          before: { "1.36": { optional: undefined } },
        },
        kind: {
          number: 2,
          type: "meta/v1.GroupVersionKind",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        resource: {
          number: 3,
          type: "meta/v1.GroupVersionResource",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        subResource: { number: 4, type: "string", omitempty: true, optional: true },
        requestKind: {
          number: 13,
          type: "meta/v1.GroupVersionKind",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        requestResource: {
          number: 14,
          type: "meta/v1.GroupVersionResource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        requestSubResource: { number: 15, type: "string", omitempty: true, optional: true },
        name: { number: 5, type: "string", omitempty: true, optional: true },
        namespace: { number: 6, type: "string", omitempty: true, optional: true },
        operation: {
          number: 7,
          type: "string",
          optional: true,
          elementName: "v1.Operation",
          before: { "1.36": { optional: undefined } },
        },
        userInfo: {
          number: 8,
          type: "authentication/v1.UserInfo",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        object: { number: 9, type: "RawExtension", omitempty: true, optional: true },
        oldObject: { number: 10, type: "RawExtension", omitempty: true, optional: true },
        dryRun: { number: 11, type: "bool", pointer: true, omitempty: true, optional: true },
        options: { number: 12, type: "RawExtension", omitempty: true, optional: true },
      },
    },
    AdmissionResponse: {
      fields: {
        uid: {
          number: 1,
          type: "string",
          optional: true,
          elementName: "types.UID",
          before: { "1.36": { optional: undefined } },
        },
        allowed: { number: 2, type: "bool", optional: true, before: { "1.36": { optional: undefined } } },
        status: { number: 3, type: "meta/v1.Status", pointer: true, omitempty: true, optional: true },
        patch: { number: 4, type: "bytes", omitempty: true, optional: true },
        patchType: {
          number: 5,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "v1.PatchType",
        },
        auditAnnotations: { number: 6, type: "string", map: true, omitempty: true, optional: true },
        warnings: {
          number: 7,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.35": { listType: undefined } },
        },
      },
    },
  };
}
