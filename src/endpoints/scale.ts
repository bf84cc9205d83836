import { FieldPath } from "../apimachinery/field-error.js";
import { parseJson } from "../apimachinery/json-parse.js";
import { isJsonObject } from "../apimachinery/json-value.js";
import type { ApiObject } from "../apimachinery/meta.js";
import type { Codec, TypeMeta } from "../apimachinery/schema/codec.js";
import { conflict, invalidObject } from "../apimachinery/status.js";
import { validateNonnegative } from "../apimachinery/validation/values.js";
import type { ScaleView } from "../apis/definition/resource-definition.js";
import type { Scale } from "../apis/gen/autoscaling-v1.js";
import type { ApiRequest } from "./api-request.js";
import type { ValueResult } from "./api-result.js";
import { orStatus, patchTypeOf, readPatch } from "./patch.js";
import { orBadRequest, readValue } from "./read-value.js";
import { readVersionOfGet } from "./read-version.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { storeUpdate } from "./update.js";
import { writeOptionsOf } from "./write-options.js";

const scaleType: TypeMeta = { apiVersion: "autoscaling/v1", kind: "Scale" };

/** GET of `scale`: the workload's size as autoscalers see it. */
export async function getScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult> {
  const { namespace, name } = request.info;
  const at = readVersionOfGet(request.query.get("resourceVersion") ?? "");
  const stored = await endpoint.registry.get(namespace, name, at);
  return answer(endpoint, scaleOf(stored.decode(), scale));
}

export async function updateScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult> {
  const codec = endpoint.settings.scaleCodec;
  const sent = await readValue(request, codec, "Scale");
  return await store(endpoint, request, scale, "UpdateOptions", () => sent);
}

export async function patchScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult> {
  const codec = endpoint.settings.scaleCodec;
  const patch = await readPatch(patchTypeOf(request), request, {
    version: { ...endpoint.view.version, codec },
  });
  return await store(endpoint, request, scale, "PatchOptions", (current) => {
    const document = parseJson(codec.toJsonWithType(current, scaleType));
    if (!isJsonObject(document)) throw new Error("an encoded scale is a JSON object");
    return orBadRequest("Scale", () => codec.fromJson(orStatus(() => patch(document))));
  });
}

async function store<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
  kind: "UpdateOptions" | "PatchOptions",
  change: (current: Scale) => Scale,
): Promise<ValueResult> {
  const options = writeOptionsOf(request, kind, endpoint.settings);
  const { stored } = await storeUpdate(endpoint, request, {
    ...options,
    async transform(current) {
      if (current === undefined) throw new Error("a scale does not create");
      const wanted = change(scaleOf(current.copy(), scale));
      checkScale(endpoint, request.info.name, wanted, current.old);
      const object = current.copy();
      scale.setSpecReplicas(object, wanted.spec?.replicas ?? 0);
      return object;
    },
  });
  return answer(endpoint, scaleOf(stored.decode(), scale));
}

function checkScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  name: string,
  wanted: Scale,
  current: T,
): void {
  const errors = validateNonnegative(wanted.spec?.replicas ?? 0, FieldPath.of("spec", "replicas"));
  if (errors.length > 0) throw invalidObject({ group: "autoscaling", kind: "Scale" }, name, errors);
  const { uid = "", resourceVersion = "" } = wanted.metadata;
  const { definition } = endpoint.registry;
  if (uid !== "" && uid !== current.metadata.uid) {
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid ?? ""}`,
    );
  }
  if (resourceVersion !== "" && resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(
      definition,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
}

function scaleOf<T extends ApiObject>(object: T, scale: ScaleView<T>): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.selector(object);
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: scale.specReplicas(object) },
    status: { replicas: scale.statusReplicas(object), selector: selector === "" ? undefined : selector },
  };
}

function answer<T extends ApiObject>(endpoint: ResourceEndpoint<T>, object: Scale): ValueResult {
  // The writer encodes whatever codec and object it is given together.
  return {
    kind: "value",
    code: 200,
    typeMeta: scaleType,
    codec: endpoint.settings.scaleCodec as Codec,
    object,
  };
}
