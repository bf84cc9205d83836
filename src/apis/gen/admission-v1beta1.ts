// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { UserInfo as AuthenticationV1UserInfo } from "./authentication-v1.js";
import type { GroupVersionKind, GroupVersionResource, Status } from "./meta-v1.js";

export interface AdmissionReview {
  request?: AdmissionRequest | undefined;
  response?: AdmissionResponse | undefined;
}

export interface AdmissionRequest {
  uid: string;
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  subResource?: string | undefined;
  requestKind?: GroupVersionKind | undefined;
  requestResource?: GroupVersionResource | undefined;
  requestSubResource?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  operation: string;
  userInfo: AuthenticationV1UserInfo;
  object?: JsonValue | undefined;
  oldObject?: JsonValue | undefined;
  dryRun?: boolean | undefined;
  options?: JsonValue | undefined;
}

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Status | undefined;
  patch?: string | undefined;
  patchType?: string | undefined;
  auditAnnotations?: { [key: string]: string } | undefined;
  warnings?: string[] | undefined;
}
