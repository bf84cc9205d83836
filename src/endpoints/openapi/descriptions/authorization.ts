import type { TypeDescriptions } from "./type-descriptions.js";

export const authorizationTypes: TypeDescriptions = {
  SubjectAccessReview: {
    about: "Asks whether somebody may do something.",
  },
  SelfSubjectAccessReview: {
    about: "Asks whether the asker may do something.",
  },
  LocalSubjectAccessReview: {
    about: "Asks whether somebody may do something in this namespace.",
  },
  ResourceAttributes: {
    about: "A resource, and what is done with it.",
  },
  NonResourceAttributes: {
    about: "A path that is no resource, and what is done there.",
  },
  SubjectAccessReviewStatus: {
    about: "Whether it may be done.",
  },
  SelfSubjectRulesReview: {
    about: "Asks for everything that the asker may do in a namespace.",
  },
  SubjectRulesReviewStatus: {
    about: "What may be done.",
  },
  ResourceRule: {
    about: "What may be done with resources.",
  },
  NonResourceRule: {
    about: "What may be done at paths that are no resources.",
  },
};
