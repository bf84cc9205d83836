import { memberOf } from "../../apimachinery/json/json-member.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiResult } from "../../endpoints/resource/api-result.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";

/**
 * The result with `metadata.selfLink` in its objects, and for a list its own path. For clients that still need it, with the gate
 * RemoveSelfLink off. Source: KEP-1164.
 */
export function withSelfLinks(result: ApiResult, path: string): ApiResult {
  switch (result.kind) {
    case "object":
    case "watch":
      return { ...result, view: linkedView(result.view) };
    case "list":
      return { ...result, view: linkedView(result.view), metadata: { ...result.metadata, selfLink: path } };
    default:
      return result;
  }
}

/** One linked view per view, because watch encoders are shared by view. */
const linkedViews = new WeakMap<VersionedView, VersionedView>();

function linkedView(view: VersionedView): VersionedView {
  let linked = linkedViews.get(view);
  if (linked === undefined) {
    linked = createLinkedView(view);
    linkedViews.set(view, linked);
  }
  return linked;
}

function createLinkedView(view: VersionedView): VersionedView {
  const linkOf = linksOf(view);
  const bodies = new WeakMap<StoredObject<ApiObject>, Buffer>();
  const body = (stored: StoredObject<ApiObject>): Buffer => {
    let text = bodies.get(stored);
    if (text === undefined) {
      text = insertLink(view.body(stored), linkOf(stored.key));
      bodies.set(stored, text);
    }
    return text;
  };
  const decode = (stored: StoredObject<ApiObject>): ApiObject => {
    const object = view.decode(stored);
    object.metadata.selfLink = linkOf(stored.key);
    return object;
  };
  return {
    ...view,
    body,
    decode,
    metadata: (stored) => memberOf(body(stored), "metadata") ?? Buffer.from("{}"),
    proto: (stored) => view.version.codec.toProto(decode(stored)),
  };
}

/** The path of an object, by its key in the store: `namespace/name`, or `name`. */
function linksOf({ definition, version }: VersionedView): (key: string) => string {
  const { group, resource, namespaced } = definition;
  const root = group === "" ? `/api/${version.version}` : `/apis/${group}/${version.version}`;
  return (key) => {
    const slash = key.indexOf("/");
    if (!namespaced || slash < 0) return `${root}/${resource}/${encodeURIComponent(key)}`;
    const name = encodeURIComponent(key.slice(slash + 1));
    return `${root}/namespaces/${key.slice(0, slash)}/${resource}/${name}`;
  };
}

/** The metadata is never empty, since every object has a name. */
function insertLink(body: Buffer, link: string): Buffer {
  const metadata = memberOf(body, "metadata");
  if (metadata === undefined) return body;
  const at = metadata.byteOffset - body.byteOffset + 1;
  const member = Buffer.from(`"selfLink":${JSON.stringify(link)},`);
  return Buffer.concat([body.subarray(0, at), member, body.subarray(at)]);
}
