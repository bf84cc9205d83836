import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiRequest } from "../../request/api-request.js";
import { decodeBody } from "../bodies/decode-object.js";
import { admissionAttributes } from "../resource/admission-attributes.js";
import type { ObjectResult } from "../resource/api-result.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { writeOf, writeOptionsOf } from "../resource/write-options.js";
import { afterAdmission, dropRepeatedOwners } from "./owner-references.js";

/** POST to a collection. */
export async function createObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ObjectResult<T>> {
  const { registry, view, admission, settings } = endpoint;
  const options = writeOptionsOf(request, "CreateOptions", settings);
  const decoding = decodeBody(view, settings, request);
  const sent = decoding instanceof Promise ? await decoding : decoding;
  const converting = view.hubOfSent(sent, request);
  const object = converting instanceof Promise ? await converting : converting;
  const { namespace } = request.info;
  // Admission plugins see the namespace of the path, as the object will be stored.
  if (registry.definition.namespaced && (object.metadata.namespace ?? "") === "")
    object.metadata.namespace = namespace;

  // As in Kubernetes, a namespace is admitted as one of its own objects, which its other writes are by their path.
  const isNamespace = registry.definition.group === "" && registry.definition.resource === "namespaces";
  const write = writeOf(request, options.dryRun, isNamespace ? (object.metadata.name ?? "") : namespace);
  const attributes = (candidate: ApiObject) =>
    admissionAttributes(endpoint, write, {
      operation: "CREATE",
      name: candidate.metadata.name ?? "",
      object: candidate,
      oldObject: undefined,
      options: { kind: "CreateOptions", value: options.sent },
    });
  const warn = (text: string): void => request.warn(text);
  dropRepeatedOwners(object, warn);
  // Nobody owns what admission adds: only what the client sent, and its defaults.
  const tracking = settings.fieldTracking.onCreate(view, object, {
    manager: options.fieldManager,
    now: request.receivedAt,
    subresource: "",
    resetFields: registry.definition.strategy.resetFields,
    scope: request,
  });
  if (tracking !== undefined) await tracking;
  const mutating = admission.mutate(attributes(object));
  if (mutating !== undefined) await mutating;
  dropRepeatedOwners(object, warn, afterAdmission);
  request.step("About to store object in database");
  const stored = await registry.create(write, object, (candidate) =>
    admission.validate(attributes(candidate)),
  );
  request.step("Object stored in database");
  return { kind: "object", code: 201, view, stored };
}
