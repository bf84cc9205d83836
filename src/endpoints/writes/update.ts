import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { CurrentObject } from "../../registry/generic/current-object.js";
import type { ApiRequest } from "../../request/api-request.js";
import { decodeBody } from "../bodies/decode-object.js";
import type { ObjectResult } from "../resource/api-result.js";
import { checkRequestedName } from "../resource/requested-name.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { type WriteOptions, writeOf, writeOptionsOf } from "../resource/write-options.js";
import { settleName } from "./check-name.js";
import { dropRepeatedOwners } from "./owner-references.js";
import { type Admitted, RequestWrite } from "./request-write.js";

/** PUT of an object, or of a part of it when `part` gives the part's strategy. */
export async function updateObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const options = writeOptionsOf(request, "UpdateOptions", settings);
  const decoding = decodeBody({ ...view, ignoresKind: part !== undefined }, settings, request);
  const sent = decoding instanceof Promise ? await decoding : decoding;
  settleName(sent.metadata, request.info, endpoint.registry.definition);
  return await storeUpdate(endpoint, request, {
    options,
    part,
    uid: sent.metadata.uid,
    // Each attempt may change the object, so each starts from a copy of the client's.
    transform: (current) =>
      whenDone(
        view.hubOfSent(view.version.codec.clone(sent), request, current && { current, part }),
        (object) => {
          dropRepeatedOwners(object, request);
          return object;
        },
      ),
  });
}

export interface UpdatePlan<T extends ApiObject> {
  readonly options: WriteOptions;
  /** The strategy of a subresource. */
  readonly part?: Strategy<T> | undefined;
  readonly createIfMissing?: boolean | undefined;
  readonly uid?: string | undefined;
  /**
   * Makes the new object, with the name and namespace of the path, from the current one, which is undefined if it does not exist and may
   * be created.
   */
  readonly transform: (current: CurrentObject<T> | undefined) => MaybePromise<T>;
  /** See `RequestWriteParts`. */
  readonly tracksFields?: boolean | undefined;
  readonly admitted?: Admitted<T> | undefined;
}

/** The common part of update, patch and apply. The registry runs the stages, and repeats them if another write comes first. */
export async function storeUpdate<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  { options, part, createIfMissing, uid, transform, tracksFields, admitted }: UpdatePlan<T>,
): Promise<ObjectResult<T>> {
  const { registry, view } = endpoint;
  const { info } = request;
  const scope = writeOf(request, options.dryRun);
  const write = new RequestWrite({ endpoint, request, scope, options, part, tracksFields, admitted });
  checkRequestedName(info.name);
  request.step("About to store object in database");
  const { stored, created } = await registry.update(scope, info.name, {
    strategy: part,
    createIfMissing,
    uid,
    keepsManagers: tracksFields === false,
    transform,
    track: (object, old) => write.track(object, old),
    mutate: (object, old) => write.mutate(object, old),
    validate: (object, old) => write.validate(object, old),
  });
  request.step("Object stored in database");
  return { kind: "object", code: created ? 201 : 200, view, stored };
}
