import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const rbacV1Types = typePackage("rbac/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PolicyRule: {
      fields: {
        verbs: {
          number: 1,
          type: "string",
          list: true,
          listType: "atomic",
          rules: { required: "verbs must contain at least one value" },
          before: { "1.30": { listType: undefined } },
        },
        // Required without nonResourceURLs, like resources.
        apiGroups: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { required: "resource rules must supply at least one api group" },
          before: { "1.30": { listType: undefined } },
        },
        resources: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { required: "resource rules must supply at least one resource" },
          before: { "1.30": { listType: undefined } },
        },
        resourceNames: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        nonResourceURLs: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    Subject: {
      structType: "atomic",
      fields: {
        kind: { number: 1, type: "string", rules: { supported: ["ServiceAccount", "User", "Group"] } },
        apiGroup: { number: 2, type: "string", omitempty: true, optional: true },
        name: { number: 3, type: "string", rules: { required: true } },
        namespace: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    RoleRef: {
      structType: "atomic",
      fields: {
        apiGroup: { number: 1, type: "string", optional: true, before: { "1.36": { optional: undefined } } },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string", rules: { required: true, format: "pathSegment" } },
      },
    },
    Role: {
      kind: "Role",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        rules: {
          number: 2,
          type: "rbac/v1.PolicyRule",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    RoleBinding: {
      kind: "RoleBinding",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        subjects: {
          number: 2,
          type: "rbac/v1.Subject",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        roleRef: { number: 3, type: "rbac/v1.RoleRef" },
      },
    },
    RoleBindingList: listKind("rbac/v1.RoleBinding"),
    RoleList: listKind("rbac/v1.Role"),
    ClusterRole: {
      kind: "ClusterRole",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        rules: {
          number: 2,
          type: "rbac/v1.PolicyRule",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        aggregationRule: {
          number: 3,
          type: "rbac/v1.AggregationRule",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    AggregationRule: {
      fields: {
        clusterRoleSelectors: {
          number: 1,
          type: "meta/v1.LabelSelector",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { required: "at least one clusterRoleSelector required if aggregationRule is non-nil" },
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    ClusterRoleBinding: {
      kind: "ClusterRoleBinding",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        subjects: {
          number: 2,
          type: "rbac/v1.Subject",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        roleRef: { number: 3, type: "rbac/v1.RoleRef" },
      },
    },
    ClusterRoleBindingList: listKind("rbac/v1.ClusterRoleBinding"),
    ClusterRoleList: listKind("rbac/v1.ClusterRole"),
  };
}
