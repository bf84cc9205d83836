import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const extra = "Further facts about the user, as lists of values by key.";
const nonResourceAttributes = "Request for a path that is no resource. Excludes resourceAttributes.";
const resourceAttributes = "Request for a resource. Excludes nonResourceAttributes.";
const evaluationError = "What went wrong while deciding. The answer may hold all the same.";

export const authorizationV1Descriptions: TypeDescriptions = {
  SubjectAccessReview: {
    about: "Asks whether a user may do something. Nothing is stored.",
    fields: { spec: "Who asks for what.", status: "Whether it may be done. Filled in by the server." },
  },
  SelfSubjectAccessReview: {
    about: "Asks whether the user who sends it may do something. Nothing is stored.",
    fields: { spec: "What is asked for.", status: "Whether it may be done. Filled in by the server." },
  },
  LocalSubjectAccessReview: {
    about: "Asks whether a user may do something in this namespace. Nothing is stored.",
    fields: {
      spec: "Who asks for what; the namespace must be that of the request.",
      status: "Whether it may be done. Filled in by the server.",
    },
  },
  ResourceAttributes: {
    about: "A resource, and what is to be done with it.",
    fields: {
      group: "Group of the resource; '*' is all, empty the core group.",
      name: "Name of the object. Empty: all objects.",
      namespace: "Namespace of the object. Empty: none, or all namespaces.",
      resource: "Resource in the plural, such as pods; '*' is all.",
      subresource: "Subresource, such as status. Empty: the object itself.",
      verb: "What is to be done: get, list, watch, create, update, patch, delete, deletecollection, proxy; '*' is everything.",
      version: "Version of the resource; '*' is all.",
      fieldSelector: "Limits the question to objects that a field selector allows.",
      labelSelector: "Limits the question to objects that a label selector allows.",
    },
  },
  NonResourceAttributes: {
    about: "A path that is no resource, and what is to be done there.",
    fields: {
      path: "Path of the URL, such as /healthz.",
      verb: "HTTP method in lower case, such as get.",
    },
  },
  SubjectAccessReviewSpec: {
    about: "Who asks for what. Either kind of attributes must be set, and a user or groups.",
    fields: {
      extra,
      groups: "Groups that the user is a member of.",
      nonResourceAttributes,
      resourceAttributes,
      uid: "Uid of the user.",
      user: "Name of the user. With groups but no user, only what groups may do counts.",
    },
  },
  SelfSubjectAccessReviewSpec: {
    about: "What is asked for. Either kind of attributes must be set.",
    fields: { nonResourceAttributes, resourceAttributes },
  },
  SubjectAccessReviewStatus: {
    about: "Whether something may be done.",
    fields: {
      allowed: "Whether it may be done.",
      denied: "Whether it was forbidden outright, rather than just not allowed by anybody.",
      evaluationError,
      reason: "Why it was decided so.",
    },
  },
  SelfSubjectRulesReview: {
    about: "Asks what the user who sends it may do in a namespace, for showing it. Nothing is stored.",
    fields: {
      spec: "Where the user wants to do something.",
      status: "What may be done. Filled in by the server.",
    },
  },
  SelfSubjectRulesReviewSpec: {
    about: "The namespace that is asked about.",
    fields: { namespace: "Namespace that is asked about. Required." },
  },
  SubjectRulesReviewStatus: {
    about: "What may be done. The order of the rules means nothing.",
    fields: {
      evaluationError,
      incomplete: "Whether the rules may lack some, as not every authorizer can tell its own.",
      nonResourceRules: "Rules about paths such as /healthz.",
      resourceRules: "Rules about resources such as pods.",
    },
  },
  ResourceRule: {
    about: "What may be done with some resources.",
    fields: {
      apiGroups: "Groups of the resources; '*' is all, '' the core group.",
      resourceNames: "Names of the objects. Empty: all.",
      resources: "Resources and, after a '/', subresources; '*' is all.",
      verbs: "What may be done; '*' is everything.",
    },
  },
  NonResourceRule: {
    about: "What may be done at some paths that are no resources.",
    fields: {
      nonResourceURLs: "Paths; '*' at the end stands for the rest.",
      verbs: "HTTP methods in lower case; '*' is all.",
    },
  },
  FieldSelectorAttributes: {
    about: "A field selector, as text or as requirements.",
    fields: {
      rawSelector: "The selector as text. Excludes requirements.",
      requirements: "The requirements, all of which have to hold.",
    },
  },
  LabelSelectorAttributes: {
    about: "A label selector, as text or as requirements.",
    fields: {
      rawSelector: "The selector as text. Excludes requirements.",
      requirements: "The requirements, all of which have to hold.",
    },
  },
};
