import type { TypeDescriptions } from "./type-descriptions.js";

export const referenceTypes: TypeDescriptions = {
  ObjectReference: {
    about: "Names an object, or a part of one.",
  },
  LocalObjectReference: {
    about: "Names an object in the same namespace.",
  },
  TypedLocalObjectReference: {
    about: "Names an object of any kind in the same namespace.",
  },
  SecretReference: {
    about: "Names a secret in any namespace.",
  },
};
