import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { type AuthenticationResult, authenticated, rejected } from "./authenticator.js";
import {
  accountGroups,
  accountUserName,
  credentialIdOf,
  type ServiceAccountClaims,
} from "./service-account-claims.js";
import type { ServiceAccountTokenSettings } from "./service-account-settings.js";

export function commonAudiences(
  { apiAudiences }: ServiceAccountTokenSettings,
  ofToken: readonly string[],
  wanted: readonly string[],
):
  | { readonly kind: "some"; readonly common: readonly string[] }
  | { readonly kind: "none"; readonly result: AuthenticationResult } {
  // Tokens without an audience are legacy ones, for the API only.
  const meant = new Set(ofToken.length === 0 ? apiAudiences : ofToken);
  const common = wanted.filter((audience) => meant.has(audience));
  if (common.length > 0 || apiAudiences.length === 0) return { kind: "some", common };
  const why = `token audiences ${goList([...meant])} is invalid for the target audiences ${goList(wanted)}`;
  return { kind: "none", result: rejected(why) };
}

export function accountUser(
  { extraPrefix, reads }: ServiceAccountTokenSettings,
  {
    namespace,
    account,
    pod,
    node,
    id,
  }: Pick<ServiceAccountClaims, "namespace" | "account" | "pod" | "node" | "id">,
): UserInfo {
  const extra: Record<string, string[]> = {};
  if (id !== undefined && reads?.ids === true) extra[`${extraPrefix}/credential-id`] = [credentialIdOf(id)];
  if (node !== undefined && reads?.nodesOfPods === true) {
    extra[`${extraPrefix}/node-name`] = [node.name];
    if (node.uid !== undefined) extra[`${extraPrefix}/node-uid`] = [node.uid];
  }
  if (pod !== undefined) {
    extra[`${extraPrefix}/pod-name`] = [pod.name];
    extra[`${extraPrefix}/pod-uid`] = [pod.uid];
  }
  const { user } = authenticated({
    name: accountUserName(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    extra,
  });
  return Object.freeze(user);
}

/** A list as Go prints it with %q. */
export function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
