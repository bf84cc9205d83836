import { oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiRequest } from "../../request/api-request.js";
import { decodeBody } from "../bodies/decode-object.js";
import type { ObjectResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { writeOf, writeOptionsOf } from "../resource/write-options.js";
import { dropRepeatedOwners } from "./owner-references.js";
import { placeInNamespace } from "./place-in-namespace.js";
import { RequestWrite } from "./request-write.js";

/** POST to a collection. */
export async function createObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ObjectResult<T>> {
  const { registry, view, settings } = endpoint;
  const options = writeOptionsOf(request, "CreateOptions", settings);
  const decoding = decodeBody(view, settings, request);
  const sent = decoding instanceof Promise ? await decoding : decoding;
  const { namespace } = request.info;
  const { namespaced, level = oldestLevel } = registry.definition;
  settleCreatedMetadata(sent.metadata, { namespace: namespaced ? namespace : "" }, level);
  placeInNamespace(sent.metadata, request.info, registry.definition);
  const converting = view.hubOfSent(sent, request);
  const object = converting instanceof Promise ? await converting : converting;
  dropRepeatedOwners(object, request);

  // As in Kubernetes, a namespace's create is admitted as if in that namespace; its other writes have the namespace of their path.
  const isNamespace = registry.definition.group === "" && registry.definition.resource === "namespaces";
  const scope = writeOf(request, options.dryRun, isNamespace ? (object.metadata.name ?? "") : namespace);
  request.step("About to store object in database");
  const stored = await registry.create(
    scope,
    object,
    new RequestWrite({ endpoint, request, scope, options }),
  );
  request.step("Object stored in database");
  return { kind: "object", code: 201, view, stored };
}
