import {
  badRequest,
  methodNotAllowed,
  notFound,
  pathNotFound,
  type StatusError,
  verbNotSupported,
} from "../apimachinery/errors/status.js";
import { unreachable } from "../apimachinery/errors/unreachable.js";
import { isAtLeast } from "../apimachinery/levels/api-level.js";
import type { MaybePromise } from "../apimachinery/objects/maybe-promise.js";
import type { RequestInfo } from "../apimachinery/requests/request-info.js";
import {
  type ResourceDefinition,
  type SubresourceDefinition,
  subresourcesOf,
  type Verb,
} from "../apis/definition/resource-definition.js";
import type { ApiRequest } from "../request/api-request.js";
import type { ApiCatalog, ServedResource } from "./catalog/api-catalog.js";
import { unservedPath } from "./catalog/unserved-path.js";
import type { ConnectHandler } from "./connect/connect-handler.js";
import type { ConnectResult } from "./connect/connect-result.js";
import { convertResult } from "./reads/converted-results.js";
import { getObject } from "./reads/get.js";
import { listObjects, readListOptions } from "./reads/list.js";
import { hasWatchTable, readWatchOptions, watchObjects } from "./reads/watch.js";
import type { ApiResult } from "./resource/api-result.js";
import type { ResourceEndpoint } from "./resource/resource-endpoint.js";
import { createObject } from "./writes/create.js";
import { deleteObject } from "./writes/delete.js";
import { deleteCollection } from "./writes/delete-collection.js";
import { patchObject, patchTypeOf } from "./writes/patch.js";
import { getScale, patchScale, updateScale } from "./writes/scale.js";
import { updateObject } from "./writes/update.js";

/** A resource request whose handler was found but has not run. */
export type Operation = ResultOperation | ConnectOperation;

/** Answered by another server. */
export interface ConnectOperation {
  readonly answers: "connect";
  /** Call it once. */
  run(): Promise<ConnectResult>;
}

export interface ResultOperation {
  /** What the answer is. `value` is not an object of the resource and has no table. A Status may replace a deleted object. */
  readonly answers: "object" | "list" | "watch" | "value";
  /** Custom resources have no protobuf form. */
  readonly hasProtobuf: boolean;
  /** Whether it can be printed as a table. */
  readonly hasTable: boolean;
  /** Whether HEAD is answered like GET without a body: true where Kubernetes' route does not name methods. */
  readonly allowsHead: boolean;
  /** Throws 415 for a body of another media type, before the Accept header is checked. Undefined where `run` checks it. */
  readonly checkContentType?: ((contentType: string | undefined) => void) | undefined;
  /**
   * Throws 400 or 422 for options, which Kubernetes 1.32 to 1.35 checks before it chooses a representation. Undefined where `run` checks
   * them.
   */
  readonly checkOptions?: (() => void) | undefined;
  /** Call it once. A promise unless the result is at hand. */
  run(): MaybePromise<ApiResult>;
}

/**
 * Finds the verb of a resource request. Throws 404 for a path that is not served and 405 for a verb that it does not support.
 */
export function findOperation(catalog: ApiCatalog, request: ApiRequest): Operation {
  const { info } = request;
  // `/apis//v1` is not the path of the core group.
  if (info.apiGroup === "" && info.apiPrefix === "apis") throw pathNotFound();
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (served === undefined || !isScopeRight(served, request))
    throw unservedPath(catalog.group(info.apiGroup));
  if (info.subresource !== "") return findSubresource(served, request);
  if (!hasPath(served, request)) throw unservedPath(catalog.group(info.apiGroup));

  const special = served.operations.get(info.verb);
  if (special !== undefined) {
    return operationOf(served, request, specialAnswers.get(info.verb) ?? "value", () => special(request));
  }
  const { endpoint } = served;
  const { definition } = served;
  const verb = verbAmong(definition.verbs, info.verb);
  if (verb === undefined && info.verb === "watch") throw noWatch(definition, request);
  if (endpoint === undefined || verb === undefined) {
    throw isCustom(served) ? verbNotSupported(info.verb, definition) : methodNotAllowed();
  }
  if (!isPathOfVerb(definition, request)) {
    if (!isCustom(served)) throw methodNotAllowed();
    if (!namesObject(request)) throw badRequest("name must be provided");
  }
  if (verb === "list" || verb === "watch") return collectionRead(served, endpoint, request, verb);
  const answers = verb === "deletecollection" ? "list" : "object";
  return operationOf(served, request, answers, () => runVerb(endpoint, request, verb));
}

function collectionRead(
  served: ServedResource,
  endpoint: ResourceEndpoint,
  request: ApiRequest,
  verb: "list" | "watch",
): ResultOperation {
  const read =
    verb === "list"
      ? withOptions(
          () => readListOptions(endpoint, request),
          (options) => listObjects(endpoint, request, options),
        )
      : withOptions(
          () => readWatchOptions(endpoint, request),
          (options) => watchObjects(endpoint, request, options),
        );
  const { level } = endpoint.settings;
  const optionsComeFirst = isAtLeast(level, "1.32") && !isAtLeast(level, "1.36");
  return {
    ...operationOf(served, request, verb, read.run),
    checkOptions: optionsComeFirst ? read.checkOptions : undefined,
  };
}

/** Reads the options once, whether or not they are checked first. */
function withOptions<O>(
  read: () => O,
  run: (options: O) => MaybePromise<ApiResult>,
): Required<Pick<ResultOperation, "checkOptions" | "run">> {
  let options: O | undefined;
  return {
    checkOptions() {
      options = read();
    },
    run: () => run(options ?? read()),
  };
}

/** What a resource's own operation for a verb answers; for all other verbs, a value. */
const specialAnswers: ReadonlyMap<string, ResultOperation["answers"]> = new Map([
  ["get", "object"],
  ["list", "list"],
]);

/** The verb of this name, if a resource has it. */
function verbAmong(verbs: readonly Verb[], name: string): Verb | undefined {
  for (const verb of verbs) if (verb === name) return verb;
  return undefined;
}

const readVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Whether the watch cache can answer; it asks the store at most for its revision. */
export function isReadFromCache(catalog: ApiCatalog, { info }: ApiRequest): boolean {
  return readFromStore(catalog, info)?.registry.knownCount !== undefined;
}

/** Whether a request only reads stored objects, so that no other server and no other part of this one is involved. */
export function isStoreRead(catalog: ApiCatalog, info: RequestInfo): boolean {
  return readFromStore(catalog, info) !== undefined;
}

function readFromStore(catalog: ApiCatalog, info: RequestInfo): ResourceEndpoint | undefined {
  if (!readVerbs.has(info.verb) || info.subresource !== "") return undefined;
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (served?.endpoint === undefined || served.operations.has(info.verb)) return undefined;
  return served.endpoint.view.reads === undefined ? served.endpoint : undefined;
}

/** The deprecated watch has its own path; the current one is a list with `watch=1`. */
function noWatch(definition: ResourceDefinition, { query }: ApiRequest): StatusError {
  if (!query.has("watch")) return pathNotFound();
  return definition.verbs.includes("list") ? verbNotSupported("watch", definition) : methodNotAllowed();
}

/** Clients of a deprecated version get a warning, and the audit event an annotation. */
function warnOfDeprecation(
  { deprecationWarning, deprecationAnnotations }: ServedResource,
  request: ApiRequest,
): void {
  if (deprecationWarning !== undefined) request.warn(deprecationWarning);
  for (const [key, value] of deprecationAnnotations ?? []) request.annotate(key, value);
}

function operationOf(
  served: ServedResource,
  request: ApiRequest,
  answers: ResultOperation["answers"],
  run: () => MaybePromise<ApiResult>,
): ResultOperation {
  warnOfDeprecation(served, request);
  const reads = served.endpoint?.view.reads;
  const converted = reads === undefined ? run : async () => await convertResult(reads, await run(), request);
  return {
    answers,
    hasProtobuf: served.version.hasProtobuf !== false,
    hasTable: answers !== "value" && (answers !== "watch" || isPrintedWatch(served.endpoint, request)),
    allowsHead: isCustom(served) && answers !== "watch",
    checkContentType: contentTypeCheck(served, request),
    run: converted,
  };
}

function contentTypeCheck(
  { endpoint }: ServedResource,
  { info }: ApiRequest,
): ResultOperation["checkContentType"] {
  if (info.verb !== "patch" || endpoint === undefined) return undefined;
  return (contentType) => patchTypeOf(endpoint, contentType);
}

function isPrintedWatch(endpoint: ResourceEndpoint | undefined, request: ApiRequest): boolean {
  return endpoint === undefined || hasWatchTable(endpoint, request);
}

function runVerb(
  endpoint: ResourceEndpoint,
  request: ApiRequest,
  verb: Exclude<Verb, "list" | "watch">,
): MaybePromise<ApiResult> {
  switch (verb) {
    case "get":
      return getObject(endpoint, request);
    case "create":
      return createObject(endpoint, request);
    case "update":
      return updateObject(endpoint, request);
    case "patch":
      return patchObject(endpoint, request);
    case "delete":
      return deleteObject(endpoint, request);
    case "deletecollection":
      return deleteCollection(endpoint, request);
    default:
      return unreachable(verb);
  }
}

function findSubresource(served: ServedResource, request: ApiRequest): Operation {
  const { info } = request;
  const subresource = subresourcesOf(served).find((s) => s.name === info.subresource);
  const { endpoint } = served;
  if (subresource === undefined || info.verb === "watch") {
    if (!isCustom(served)) throw pathNotFound();
    warnOfDeprecation(served, request);
    throw notFound(served.definition, info.name);
  }
  // Deeper paths belong to proxied connections.
  if (info.parts.length > 3 && subresource.name !== "proxy" && !isCustom(served)) throw pathNotFound();
  const connection = connectionOf(served, request);
  if (connection !== undefined) return { answers: "connect", run: () => connection(request) };
  const special =
    served.operations.get(`${subresource.name}/${info.verb}`) ?? served.operations.get(subresource.name);
  if (special !== undefined) return valueOperation(served, request, () => special(request));
  const verb = verbAmong(subresource.verbs, info.verb);
  if (endpoint === undefined) throw methodNotAllowed();
  if (verb === undefined) {
    throw isCustom(served) ? verbNotSupported(info.verb, served.definition) : methodNotAllowed();
  }
  if (subresource.kind === "part") {
    return operationOf(served, request, "object", () => runPart(endpoint, request, subresource, verb));
  }
  const operation = valueOperation(served, request, () => runPart(endpoint, request, subresource, verb));
  return endpoint.settings.scaleView.version.columns === undefined
    ? operation
    : { ...operation, answers: "object", hasTable: true };
}

function connectionOf({ connections }: ServedResource, { info }: ApiRequest): ConnectHandler | undefined {
  return connections?.get(`${info.subresource}/${info.verb}`) ?? connections?.get(info.subresource);
}

/** Runs a subresource with its own kind, which is the same in every version of the resource. */
function valueOperation(
  served: ServedResource,
  request: ApiRequest,
  run: () => Promise<ApiResult>,
): ResultOperation {
  return {
    answers: "value",
    hasProtobuf: true,
    hasTable: false,
    allowsHead: isCustom(served),
    checkContentType: contentTypeCheck(served, request),
    run,
  };
}

async function runPart(
  endpoint: ResourceEndpoint,
  request: ApiRequest,
  subresource: SubresourceDefinition,
  verb: Verb,
): Promise<ApiResult> {
  if (subresource.kind === "part") {
    if (verb === "get") return await getObject(endpoint, request);
    if (verb === "update") return await updateObject(endpoint, request, subresource.strategy);
    if (verb === "patch") return await patchObject(endpoint, request, subresource.strategy);
  }
  if (subresource.kind === "scale") {
    if (verb === "get") return await getScale(endpoint, request, subresource.scale);
    if (verb === "update") return await updateScale(endpoint, request, subresource.scale);
    if (verb === "patch") return await patchScale(endpoint, request, subresource.scale);
  }
  throw methodNotAllowed();
}

/** Whether the path names one object. */
function namesObject({ info }: ApiRequest): boolean {
  return info.parts.length > 1;
}

/** A cluster-scoped resource has no path in a namespace; a single namespaced object has no path outside of one. */
function isScopeRight(served: ServedResource, request: ApiRequest): boolean {
  const { info } = request;
  const { definition } = served;
  if (definition.namespaced) return info.namespace !== "" || !namesObject(request);
  if (info.namespace === "") return true;
  return definition.resource === "namespaces" && info.namespace === info.name;
}

const collectionVerbs: readonly Verb[] = ["list", "create", "deletecollection"];
const objectVerbs: readonly Verb[] = ["get", "update", "patch", "delete"];

/** Custom resources have no routes in Kubernetes: one handler serves all their paths and decides by verb. */
function isCustom({ endpoint }: ServedResource): boolean {
  return endpoint?.view.statesType === true;
}

/** Whether the path serves any method; for custom resources, whether it serves this one. */
function hasPath(served: ServedResource, request: ApiRequest): boolean {
  const { definition } = served;
  const { verbs } = definition;
  const { info } = request;
  if (info.parts.length > 2 || info.verb === "proxy") return false;
  if (namesObject(request)) return objectVerbs.some((verb) => verbs.includes(verb));
  if (isEveryNamespace(definition, request)) {
    return verbs.includes("list") && (!isCustom(served) || info.verb === "list" || info.verb === "watch");
  }
  return collectionVerbs.some((verb) => verbs.includes(verb));
}

/** Whether the path is that of the objects in all namespaces, which can only be read. */
function isEveryNamespace({ namespaced }: ResourceDefinition, { info }: ApiRequest): boolean {
  return namespaced && info.namespace === "";
}

/** A collection cannot be updated, nor a built-in object created at its own path. */
function isPathOfVerb(definition: ResourceDefinition, request: ApiRequest): boolean {
  switch (request.info.verb) {
    case "create":
    case "deletecollection":
      return !namesObject(request) && !isEveryNamespace(definition, request);
    case "update":
    case "patch":
    case "delete":
      return namesObject(request);
    default:
      return true;
  }
}
