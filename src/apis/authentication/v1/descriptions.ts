import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const authenticationV1Descriptions: TypeDescriptions = {
  TokenReview: {
    about: "Asks whose token this is. Nothing is stored.",
    fields: {
      spec: "Token to check, and the audiences it should be for.",
      status: "Whose token it is. Filled in by the server.",
    },
  },
  TokenReviewSpec: {
    about: "A token to check.",
    fields: {
      audiences: "Audiences, of which the token must be meant for at least one. Default: this API server.",
      token: "The token, as it comes in the header Authorization after Bearer.",
    },
  },
  TokenReviewStatus: {
    about: "Whose token it is.",
    fields: {
      audiences:
        "Which of the audiences asked for the token is meant for. Empty: it is meant for this API server.",
      authenticated: "Whether the token is valid and known.",
      error: "Why the token could not be checked.",
      user: "User that the token stands for.",
    },
  },
  UserInfo: {
    about: "Who a user is.",
    fields: {
      extra: "Further facts that the authenticator gives, as lists of values by key.",
      groups: "Groups that the user is a member of.",
      uid: "Id of the user, unique over time: a later user of the same name has another.",
      username: "Name of the user, unique among all active users.",
    },
  },
  TokenRequest: {
    about: "Asks for a token of a service account, through its subresource token.",
    fields: { spec: "Audiences and lifetime of the token.", status: "The token. Filled in by the server." },
  },
  TokenRequestSpec: {
    about: "Which token is asked for.",
    fields: {
      audiences: "Whom the token is meant for; others must refuse it. Default: this API server.",
      boundObjectRef:
        "Pod or secret whose deletion also ends the token. Default: only the service account's.",
      expirationSeconds:
        "Seconds for which the token is to be valid, at least 600; the server may decide otherwise. Default: 3600.",
    },
  },
  TokenRequestStatus: {
    about: "The token that was asked for.",
    fields: {
      expirationTimestamp: "When the token expires.",
      token: "The token, a JWT to be sent after Bearer.",
    },
  },
  BoundObjectReference: {
    about: "The object whose end is also the end of a token.",
    fields: {
      apiVersion: "Group and version of the object: v1.",
      kind: "Kind of the object: Pod or Secret.",
      name: "Name of the object, in the namespace of the service account.",
      uid: "Uid of the object. Default: that of the object that has the name now.",
    },
  },
  SelfSubjectReview: {
    about: "Tells who the server takes the client for.",
    fields: {
      status: "The user, as set by the server.",
    },
  },
  SelfSubjectReviewStatus: {
    about: "The user that made the request.",
    fields: {
      userInfo: "Name, groups and other attributes of the user.",
    },
  },
};
