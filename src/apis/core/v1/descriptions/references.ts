import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const referenceDescriptions: TypeDescriptions = {
  ObjectReference: {
    about: "Names an object, or a part of one.",
    fields: {
      apiVersion: "Group and version of the object.",
      fieldPath: "Part of the object, such as spec.containers{name}. Empty: all of it.",
      kind: "Kind of the object.",
      name: "Name of the object.",
      namespace: "Namespace of the object. Empty for an object of the whole cluster.",
      resourceVersion: "State of the object that is meant, if a particular one is.",
      uid: "Uid of the object, which tells it from others that had or will have its name.",
    },
  },
  LocalObjectReference: {
    about: "Names an object in the same namespace.",
    fields: { name: "Name of the object." },
  },
  TypedLocalObjectReference: {
    about: "Names an object of any kind in the same namespace.",
    fields: {
      apiGroup: "Group of the object. Empty: the core group.",
      kind: "Kind of the object.",
      name: "Name of the object.",
    },
  },
  SecretReference: {
    about: "Names a secret in any namespace.",
    fields: { name: "Name of the secret.", namespace: "Namespace of the secret." },
  },
  TypedObjectReference: {
    about: "Names an object, of another namespace if allowed.",
    fields: {
      apiGroup: "Group of the kind; unset for core kinds.",
      kind: "Kind of the object.",
      name: "Name of the object.",
      namespace: "Namespace of the object, which has to allow the reference. Default: the same namespace.",
    },
  },
};
