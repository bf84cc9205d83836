import { forbiddenError, internal, type StatusError } from "../errors/status.js";
import type { AccessInfo, Decision } from "./authorizer.js";
import type { UserInfo } from "./request-info.js";

/** The answer to an action that was not allowed; 500 when an authorizer could not decide. */
export function accessRefusal(
  user: UserInfo,
  info: AccessInfo,
  { reason, error }: Pick<Decision, "reason" | "error">,
): StatusError {
  // The decision failed.
  if (error !== undefined) return internal(error.message);
  const why = reason === "" ? "" : `: ${reason}`;
  const who = JSON.stringify(user.name);
  if (!info.isResourceRequest) {
    return forbiddenError(
      { group: "", resource: "" },
      "",
      `${withoutMarkup(`User ${who} cannot ${info.verb} path ${JSON.stringify(info.path)}`)}${why}`,
    );
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where =
    info.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(info.namespace)}`;
  const what = `User ${who} cannot ${info.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.apiGroup)} ${where}`;
  return forbiddenError(
    { group: info.apiGroup, resource: info.resource },
    info.name,
    `${withoutMarkup(what)}${why}`,
  );
}

function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
