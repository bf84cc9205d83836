import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const apiregistrationV1Types = typePackage("apiregistration/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    APIServiceList: listKind("apiregistration/v1.APIService"),
    ServiceReference: {
      fields: {
        namespace: { number: 1, type: "string", omitempty: true, rules: { required: true } },
        name: { number: 2, type: "string", omitempty: true, rules: { required: true } },
        port: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    APIServiceSpec: {
      fields: {
        service: {
          number: 1,
          type: "apiregistration/v1.ServiceReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        group: {
          number: 2,
          type: "string",
          omitempty: true,
          rules: { zeroIsAbsent: true, format: "dnsSubdomain" },
        },
        version: { number: 3, type: "string", omitempty: true, rules: { format: "dns1035Label" } },
        insecureSkipTLSVerify: { number: 4, type: "bool", omitempty: true },
        caBundle: { number: 5, type: "bytes", omitempty: true, optional: true, listType: "atomic" },
        groupPriorityMinimum: {
          number: 7,
          type: "int32",
          rules: { min: 1, max: 20_000, range: "must be positive and less than 20000" },
        },
        versionPriority: {
          number: 8,
          type: "int32",
          rules: { min: 1, max: 1000, range: "must be positive and less than 1000" },
        },
      },
    },
    APIServiceCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.APIServiceConditionType" },
        status: {
          number: 2,
          type: "string",
          elementName: "core/v1.ConditionStatus",
          rules: { supported: ["True", "False", "Unknown"] },
        },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    APIServiceStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "apiregistration/v1.APIServiceCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    APIService: {
      kind: "APIService",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apiregistration/v1.APIServiceSpec", omitempty: true },
        status: { number: 3, type: "apiregistration/v1.APIServiceStatus", omitempty: true },
      },
    },
  };
}
