import type { TypeDescriptions } from "./type-descriptions.js";

export const authenticationTypes: TypeDescriptions = {
  TokenReview: {
    about: "Asks whose token this is.",
  },
  UserInfo: {
    about: "Who somebody is.",
  },
  TokenRequest: {
    about: "Asks for a token of a service account.",
  },
  BoundObjectReference: {
    about: "The object whose end is also the end of a token.",
  },
};
