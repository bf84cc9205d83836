// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { UserInfo as AuthenticationV1UserInfo } from "./authentication-v1.js";
import type { ListMeta, ObjectMeta, Status } from "./meta-v1.js";

export interface Event {
  level: string;
  auditID: string;
  stage: string;
  requestURI: string;
  verb: string;
  user: AuthenticationV1UserInfo;
  impersonatedUser?: AuthenticationV1UserInfo | undefined;
  authenticationMetadata?: AuthenticationMetadata | undefined;
  sourceIPs?: string[] | undefined;
  userAgent?: string | undefined;
  objectRef?: ObjectReference | undefined;
  responseStatus?: Status | undefined;
  requestObject?: JsonValue | undefined;
  responseObject?: JsonValue | undefined;
  requestReceivedTimestamp?: string | undefined;
  stageTimestamp?: string | undefined;
  annotations?: { [key: string]: string } | undefined;
}

export interface EventList {
  metadata: ListMeta;
  items?: Event[] | undefined;
}

export interface Policy {
  metadata: ObjectMeta;
  rules?: PolicyRule[] | undefined;
  omitStages?: string[] | undefined;
  omitManagedFields?: boolean | undefined;
}

export interface PolicyList {
  metadata: ListMeta;
  items?: Policy[] | undefined;
}

export interface PolicyRule {
  level: string;
  users?: string[] | undefined;
  userGroups?: string[] | undefined;
  verbs?: string[] | undefined;
  resources?: GroupResources[] | undefined;
  namespaces?: string[] | undefined;
  nonResourceURLs?: string[] | undefined;
  omitStages?: string[] | undefined;
  omitManagedFields?: boolean | undefined;
}

export interface GroupResources {
  group?: string | undefined;
  resources?: string[] | undefined;
  resourceNames?: string[] | undefined;
}

export interface ObjectReference {
  resource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  uid?: string | undefined;
  apiGroup?: string | undefined;
  apiVersion?: string | undefined;
  resourceVersion?: string | undefined;
  subresource?: string | undefined;
}

export interface AuthenticationMetadata {
  impersonationConstraint?: string | undefined;
}
