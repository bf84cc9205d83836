import { forbiddenError } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { ApiResult } from "../resource/api-result.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";

const verb = "unsafe-delete-ignore-read-errors";

/**
 * DELETE of an object that cannot be decrypted or decoded: removes it without admission, finalization, or anything else that needs its
 * content. Needs its own permission. Source: KEP-3926.
 */
export async function deleteUnreadable<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ApiResult> {
  const { registry, view, settings } = endpoint;
  const { unsafeDeletion } = settings;
  if (unsafeDeletion === undefined) throw new Error("the gate for this deletion is off");
  request.annotate(unsafeDeletion.annotation, "");
  const why = await refusal(unsafeDeletion.authorizer(), request);
  if (why !== undefined) throw forbiddenError(view.definition, request.info.name, why);
  const { name, namespace } = request.info;
  await registry.deleteUnreadable(namespace, name);
  return {
    kind: "status",
    code: 200,
    status: { metadata: {}, status: "Success", details: { name, kind: view.definition.kind }, code: 200 },
  };
}

/** Why the user may not delete it; undefined when that is allowed. */
async function refusal(
  authorizer: Authorizer,
  { user, info, signal }: ApiRequest,
): Promise<string | undefined> {
  if (info.subresource !== "") {
    return "ignoreStoreReadErrorWithClusterBreakingPotential delete option is not allowed on a subresource or non-resource request";
  }
  const decision = await authorizer.authorize({ user, info: { ...info, verb }, signal });
  if (decision.kind === "allow") return undefined;
  return decision.error === undefined
    ? `not permitted to do "${verb}", reason: ${decision.reason}`
    : `error while checking permission for "${verb}", ${decision.error.message}`;
}
