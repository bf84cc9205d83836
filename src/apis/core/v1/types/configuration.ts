import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

/** Config maps, secrets and service accounts. */
export function declareConfigurationTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ServiceAccount: {
      kind: "ServiceAccount",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        secrets: {
          number: 2,
          type: "core/v1.ObjectReference",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
          listType: "map",
          listMapKeys: ["name"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
        imagePullSecrets: {
          number: 3,
          type: "core/v1.LocalObjectReference",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        automountServiceAccountToken: {
          number: 4,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ServiceAccountList: listKind("core/v1.ServiceAccount"),
    Secret: {
      kind: "Secret",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        immutable: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        data: { number: 2, type: "bytes", map: true, omitempty: true, optional: true },
        stringData: { number: 4, type: "string", map: true, omitempty: true, optional: true },
        type: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1.SecretType",
          rules: { immutable: true },
        },
      },
    },
    SecretList: listKind("core/v1.Secret"),
    ConfigMap: {
      kind: "ConfigMap",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        immutable: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
        data: { number: 2, type: "string", map: true, omitempty: true, optional: true },
        binaryData: { number: 3, type: "bytes", map: true, omitempty: true, optional: true },
      },
    },
    ConfigMapList: listKind("core/v1.ConfigMap"),
  };
}
