import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const auditV1Types: TypePackage = { name: "audit/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Event: {
      kind: "Event",
      fields: {
        level: { number: 1, type: "string" },
        auditID: { number: 2, type: "string" },
        stage: { number: 3, type: "string" },
        requestURI: { number: 4, type: "string" },
        verb: { number: 5, type: "string" },
        user: { number: 6, type: "authentication/v1.UserInfo" },
        impersonatedUser: {
          number: 7,
          type: "authentication/v1.UserInfo",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        sourceIPs: { number: 8, type: "string", list: true, omitempty: true, optional: true },
        userAgent: { number: 16, type: "string", omitempty: true, optional: true },
        objectRef: {
          number: 9,
          type: "audit/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        responseStatus: {
          number: 10,
          type: "meta/v1.Status",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        requestObject: { number: 11, type: "Unknown", pointer: true, omitempty: true, optional: true },
        responseObject: { number: 12, type: "Unknown", pointer: true, omitempty: true, optional: true },
        requestReceivedTimestamp: { number: 13, type: "MicroTime", optional: true },
        stageTimestamp: { number: 14, type: "MicroTime", optional: true },
        annotations: { number: 15, type: "string", map: true, omitempty: true, optional: true },
      },
    },
    EventList: listKind("audit/v1.Event"),
    Policy: {
      kind: "Policy",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        rules: { number: 2, type: "audit/v1.PolicyRule", list: true },
        omitStages: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        omitManagedFields: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    PolicyList: listKind("audit/v1.Policy"),
    PolicyRule: {
      fields: {
        level: { number: 1, type: "string" },
        users: { number: 2, type: "string", list: true, omitempty: true, optional: true },
        userGroups: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        verbs: { number: 4, type: "string", list: true, omitempty: true, optional: true },
        resources: {
          number: 5,
          type: "audit/v1.GroupResources",
          list: true,
          omitempty: true,
          optional: true,
        },
        namespaces: { number: 6, type: "string", list: true, omitempty: true, optional: true },
        nonResourceURLs: { number: 7, type: "string", list: true, omitempty: true, optional: true },
        omitStages: { number: 8, type: "string", list: true, omitempty: true, optional: true },
        omitManagedFields: { number: 9, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    GroupResources: {
      fields: {
        group: { number: 1, type: "string", omitempty: true, optional: true },
        resources: { number: 2, type: "string", list: true, omitempty: true, optional: true },
        resourceNames: { number: 3, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    ObjectReference: {
      fields: {
        resource: { number: 1, type: "string", omitempty: true, optional: true },
        namespace: { number: 2, type: "string", omitempty: true, optional: true },
        name: { number: 3, type: "string", omitempty: true, optional: true },
        uid: { number: 4, type: "string", omitempty: true, optional: true },
        apiGroup: { number: 5, type: "string", omitempty: true, optional: true },
        apiVersion: { number: 6, type: "string", omitempty: true, optional: true },
        resourceVersion: { number: 7, type: "string", omitempty: true, optional: true },
        subresource: { number: 8, type: "string", omitempty: true, optional: true },
      },
    },
  };
}
