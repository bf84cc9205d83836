import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** References to objects, and lists of any kind. */
export function declareReferencesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    SecretReference: {
      structType: "atomic",
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true, rules: { required: true } },
        namespace: { number: 2, type: "string", omitempty: true, optional: true, rules: { required: true } },
      },
    },
    ObjectReference: {
      structType: "atomic",
      fields: {
        kind: { number: 1, type: "string", omitempty: true, optional: true },
        namespace: { number: 2, type: "string", omitempty: true, optional: true },
        name: { number: 3, type: "string", omitempty: true, optional: true },
        uid: { number: 4, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
        apiVersion: { number: 5, type: "string", omitempty: true, optional: true },
        resourceVersion: { number: 6, type: "string", omitempty: true, optional: true },
        fieldPath: { number: 7, type: "string", omitempty: true, optional: true },
      },
    },
    LocalObjectReference: {
      structType: "atomic",
      fields: {
        name: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          default: "",
          rules: { required: true },
          before: { "1.30": { default: undefined } },
        },
      },
    },
    TypedLocalObjectReference: {
      structType: "atomic",
      fields: {
        apiGroup: { number: 1, type: "string", pointer: true, optional: true },
        kind: { number: 2, type: "string", rules: { required: true } },
        name: { number: 3, type: "string", rules: { required: true } },
      },
    },
    SerializedReference: {
      kind: "SerializedReference",
      fields: {
        reference: { number: 1, type: "core/v1.ObjectReference", omitempty: true, optional: true },
      },
    },
    List: {
      kind: "List",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "RawExtension", list: true },
      },
    },

    TypedObjectReference: {
      fields: {
        apiGroup: { number: 1, type: "string", pointer: true, optional: true },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string" },
        namespace: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
  };
}
