import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import {
  type SubresourceDefinition,
  subresourcesOf,
  type Verb,
} from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedResource } from "../catalog/api-catalog.js";
import type { ApiBody, ApiMethod, ApiOperation, ApiParameter, ApiPath, ApiResponse } from "./api-path.js";
import { lowerCamel, upperCamel, upperFirst } from "./capitals.js";
import { withCommonParameters } from "./common-parameters.js";
import type { TypeSource } from "./declared-schemas.js";
import type { DefinitionNames } from "./definition-names.js";
import type { Descriptions } from "./descriptions.js";
import {
  createParameters,
  deleteParameters,
  nameParameter,
  namespaceParameter,
  optionParameters,
  patchParameters,
  pathParameter,
  prettyParameter,
  type SelectingParameters,
  selectingParameters,
} from "./parameters.js";

export interface ResourcePathsParts {
  readonly naming: Naming;
  /** Whether requests and answers may be CBOR. */
  readonly cbor: boolean;
  readonly names: DefinitionNames;
  readonly types: TypeSource;
  readonly descriptions: Descriptions;
  /** The objects and lists of a custom resource; undefined for all other kinds. */
  readonly customBodies: (served: ServedResource) => { object: ApiBody; list: ApiBody } | undefined;
}

/** The group and version as tags and operations spell it. */
export function versionWords(
  naming: Naming,
  group: string,
  version: string,
): { readonly tag: string; readonly title: string } {
  const stem = group === "" ? "core" : naming.groupStem(group);
  const separator = version === "" ? "" : "_";
  return {
    tag: `${lowerCamel(stem)}${separator}${version}`,
    title: upperCamel(stem) + upperFirst(version),
  };
}

/** All paths of a resource in one version, including its subresources. */
export function resourcePaths(parts: ResourcePathsParts, served: ServedResource): ApiPath[] {
  return new ResourceWriter(parts, served).paths();
}

const anyMediaType = ["*/*"];
const unauthorized: ApiResponse = { code: 401 };

class ResourceWriter {
  readonly #parts: ResourcePathsParts;
  readonly #served: ServedResource;
  readonly #gvk: GroupVersionKind;
  readonly #tag: string;
  /** `CoreV1`, as it follows the verb in operation ids. */
  readonly #title: string;
  /** `NamespacedPod`. */
  readonly #name: string;
  readonly #verbs: ReadonlySet<Verb>;
  readonly #object: ApiBody;
  readonly #list: ApiBody;
  readonly #produces: readonly string[];
  readonly #patchTypes: readonly string[];
  readonly #custom: boolean;
  /** Kubernetes does not document it for custom resources. */
  readonly #hasCbor: boolean;
  readonly #selecting: SelectingParameters;

  constructor(parts: ResourcePathsParts, served: ServedResource) {
    const { definition, version } = served;
    const { naming, names } = parts;
    this.#parts = parts;
    this.#selecting = selectingParameters(parts.types.message("meta/v1.ListOptions"));
    this.#served = served;
    this.#gvk = { group: definition.group, version: version.version, kind: definition.kind };
    const words = versionWords(naming, definition.group, version.version);
    this.#tag = words.tag;
    this.#title = words.title;
    this.#name = (definition.namespaced ? "Namespaced" : "") + definition.kind;
    this.#verbs = new Set(definition.verbs);
    const custom = parts.customBodies(served);
    const ofKind = (kind: string): ApiBody => ({
      kind: "type",
      name: names.typeOfKind(definition.group, version.version, kind),
    });
    this.#custom = custom !== undefined;
    this.#hasCbor = parts.cbor && custom === undefined;
    this.#object = custom?.object ?? ofKind(definition.kind);
    this.#list = custom?.list ?? ofKind(`${definition.kind}List`);
    this.#produces = [
      "application/json",
      "application/yaml",
      ...(this.#custom ? [] : [naming.protobufMediaType]),
      ...(this.#hasCbor ? ["application/cbor"] : []),
    ];
    this.#patchTypes = [
      "application/json-patch+json",
      "application/merge-patch+json",
      ...(this.#custom ? [] : ["application/strategic-merge-patch+json"]),
      "application/apply-patch+yaml",
      ...(this.#hasCbor ? ["application/apply-patch+cbor"] : []),
    ];
  }

  paths(): ApiPath[] {
    const { definition } = this.#served;
    const { namespaced, resource } = definition;
    const subresources = subresourcesOf(this.#served);
    const root = `/${this.#gvk.group === "" ? "api" : `apis/${this.#gvk.group}`}/${this.#gvk.version}`;
    const within = namespaced ? `/namespaces/{namespace}/${resource}` : `/${resource}`;
    const place = namespaced ? [namespaceParameter] : [];
    const one = [nameParameter(definition.kind), ...place];
    return [
      { path: `${root}${within}`, parameters: place, operations: this.#collection() },
      { path: `${root}${within}/{name}`, parameters: one, operations: this.#single() },
      ...subresources.flatMap((subresource) =>
        this.#subresource(subresource, `${root}${within}/{name}/${subresource.name}`, one),
      ),
      ...(namespaced ? this.#everywhere(root) : []),
      ...this.#watches(root, within, place, one),
    ]
      .filter(({ operations }) => operations.length > 0)
      .map((path) =>
        withCommonParameters(
          connects(path) ? path : { ...path, parameters: [...path.parameters, prettyParameter] },
        ),
      );
  }

  #collection(): ApiOperation[] {
    const { kind } = this.#gvk;
    const operations: ApiOperation[] = [];
    if (this.#verbs.has("list")) operations.push(this.#listOperation(`list${this.#title}${this.#name}`));
    if (this.#verbs.has("create")) {
      operations.push(this.#creation(`create${this.#title}${this.#name}`, `Creates a ${kind}.`, this.#gvk));
    }
    if (this.#verbs.has("deletecollection")) {
      operations.push({
        ...this.#common("delete", "deletecollection", `delete${this.#title}Collection${this.#name}`),
        description: `Deletes every ${kind} that matches.`,
        parameters: this.#selecting.deleteCollection,
        body: { of: deleteOptions, required: false },
        responses: [{ code: 200, of: status }, unauthorized],
      });
    }
    return operations;
  }

  #single(): ApiOperation[] {
    const { kind } = this.#gvk;
    const operations = this.#readReplacePatch("", `the named ${kind}`, this.#verbs, this.#object, this.#gvk);
    if (this.#verbs.has("delete")) {
      const answer = this.#documentsDeleted() ? this.#object : status;
      operations.push({
        ...this.#common("delete", "delete", `delete${this.#title}${this.#name}`),
        description: `Deletes the named ${kind}.`,
        parameters: deleteParameters,
        body: { of: deleteOptions, required: false },
        responses: [{ code: 200, of: answer }, { code: 202, of: answer }, unauthorized],
      });
    }
    return operations;
  }

  /** As in Kubernetes, the documented answer for namespaces is a `Status`, although the namespace is sent. */
  #documentsDeleted(): boolean {
    const { returnsDeletedObject } = this.#served.definition;
    return returnsDeletedObject === true && !(this.#gvk.group === "" && this.#gvk.kind === "Namespace");
  }

  #everywhere(root: string): ApiPath[] {
    if (!this.#verbs.has("list")) return [];
    const { kind } = this.#gvk;
    return [
      {
        path: `${root}/${this.#served.definition.resource}`,
        parameters: [],
        operations: [this.#listOperation(`list${this.#title}${kind}ForAllNamespaces`)],
      },
    ];
  }

  /** Kubernetes' older form of a watch. */
  #watches(
    root: string,
    within: string,
    place: readonly ApiParameter[],
    one: readonly ApiParameter[],
  ): ApiPath[] {
    if (!this.#verbs.has("watch")) return [];
    const { kind } = this.#gvk;
    const { namespaced, resource } = this.#served.definition;
    const paths: ApiPath[] = [];
    const add = (path: string, action: string, id: string, parameters: readonly ApiParameter[]): void => {
      const operation: ApiOperation = {
        ...this.#common("get", action, `watch${this.#title}${id}`),
        description: `Streams changes of ${kind} objects. Deprecated: use the parameter watch of a list.`,
        parameters: [],
        produces: this.#streams(),
        responses: [{ code: 200, of: { kind: "type", name: "meta/v1.WatchEvent" } }, unauthorized],
      };
      paths.push({ path, parameters: [...parameters, ...this.#selecting.list], operations: [operation] });
    };
    add(`${root}/watch${within}`, "watchlist", `${this.#name}List`, place);
    add(`${root}/watch${within}/{name}`, "watch", this.#name, one);
    if (namespaced) add(`${root}/watch/${resource}`, "watchlist", `${kind}ListForAllNamespaces`, []);
    return paths;
  }

  #listOperation(id: string): ApiOperation {
    return {
      ...this.#common("get", "list", id),
      description: `Lists or watches ${this.#gvk.kind} objects.`,
      parameters: this.#selecting.list,
      produces: this.#streams(),
      responses: [{ code: 200, of: this.#list }, unauthorized],
    };
  }

  #creation(id: string, description: string, subject: GroupVersionKind): ApiOperation {
    const of = sameKind(subject, this.#gvk) ? this.#object : this.#bodyOf(subject);
    return {
      ...this.#common("post", "post", id),
      description,
      subject,
      parameters: createParameters,
      body: { of, required: true },
      responses: [{ code: 200, of }, { code: 201, of }, { code: 202, of }, unauthorized],
    };
  }

  #readReplacePatch(
    suffix: string,
    what: string,
    verbs: ReadonlySet<Verb>,
    of: ApiBody,
    subject: GroupVersionKind,
  ): ApiOperation[] {
    const operations: ApiOperation[] = [];
    const id = (verb: string): string => `${verb}${this.#title}${this.#name}${suffix}`;
    if (verbs.has("get")) {
      operations.push({
        ...this.#common("get", "get", id("read")),
        description: `Reads ${what}.`,
        subject,
        responses: [{ code: 200, of }, unauthorized],
      });
    }
    if (verbs.has("update")) {
      operations.push({
        ...this.#common("put", "put", id("replace")),
        description: `Replaces ${what}.`,
        subject,
        parameters: createParameters,
        body: { of, required: true },
        responses: [{ code: 200, of }, { code: 201, of }, unauthorized],
      });
    }
    if (verbs.has("patch")) {
      operations.push({
        ...this.#common("patch", "patch", id("patch")),
        description: `Changes a part of ${what}, or applies a configuration to it.`,
        subject,
        parameters: patchParameters,
        consumes: this.#patchTypes,
        body: { of: { kind: "type", name: "meta/v1.Patch" }, required: true },
        responses: [{ code: 200, of }, { code: 201, of }, unauthorized],
      });
    }
    return operations;
  }

  #subresource(
    subresource: SubresourceDefinition,
    path: string,
    parameters: readonly ApiParameter[],
  ): ApiPath[] {
    const { kind } = this.#gvk;
    const suffix = upperCamel(subresource.name);
    const verbs: ReadonlySet<Verb> = new Set(subresource.verbs);
    const what = `${subresource.name} of the named ${kind}`;
    if (subresource.kind === "part") {
      const operations = this.#readReplacePatch(suffix, what, verbs, this.#object, this.#gvk);
      return [{ path, parameters, operations }];
    }
    const subject: GroupVersionKind =
      subresource.kind === "scale"
        ? { group: "autoscaling", version: "v1", kind: "Scale" }
        : this.#subjectOf(subresource.object);
    if (subresource.name === "log") return [{ path, parameters, operations: [this.#logOperation(what)] }];
    if (subject.kind.endsWith("Options")) return this.#connections(subresource, subject, path, parameters);
    const of = sameKind(subject, this.#gvk) ? this.#object : this.#bodyOf(subject);
    const operations = this.#readReplacePatch(suffix, what, verbs, of, subject);
    if (verbs.has("create")) {
      const id = `create${this.#title}${this.#name}${suffix}`;
      operations.push(this.#creation(id, `Creates ${what}.`, subject));
    }
    return [{ path, parameters, operations }];
  }

  #subjectOf(object: GroupVersionKind): GroupVersionKind {
    return object.version === "" ? { ...this.#gvk, kind: object.kind } : object;
  }

  #logOperation(what: string): ApiOperation {
    const { names, types, descriptions } = this.#parts;
    const options = names.typeOfKind(this.#gvk.group, this.#gvk.version, `${this.#gvk.kind}LogOptions`);
    return {
      ...this.#common("get", "get", `read${this.#title}${this.#name}Log`),
      description: `Reads ${what}.`,
      parameters: types.has(options) ? optionParameters(types.message(options), descriptions) : [],
      produces: ["text/plain", ...this.#produces],
      responses: [{ code: 200, of: { kind: "text" } }, unauthorized],
    };
  }

  /** Streams to a node, and proxies, which accept any method and path. */
  #connections(
    { name, verbs }: SubresourceDefinition,
    subject: GroupVersionKind,
    path: string,
    parameters: readonly ApiParameter[],
  ): ApiPath[] {
    const { names, types, descriptions } = this.#parts;
    const optionsName = names.typeOfKind(subject.group, subject.version, subject.kind);
    const options = types.has(optionsName) ? optionParameters(types.message(optionsName), descriptions) : [];
    const isProxy = options.some((option) => option.name === "path");
    const methods = verbs.flatMap((verb) => methodsOfVerb[verb] ?? []);
    if (isProxy) methods.push("options", "head");
    const operations = (suffix: string): ApiOperation[] =>
      methods.map((method) => ({
        ...this.#common(
          method,
          "connect",
          `connect${this.#title}${upperFirst(method)}${this.#name}${upperCamel(name)}${suffix}`,
        ),
        description: `Connects ${method.toUpperCase()} requests to ${name} of the named ${this.#gvk.kind}.`,
        subject,
        produces: anyMediaType,
        responses: [{ code: 200, of: { kind: "text" } }, unauthorized],
      }));
    const paths: ApiPath[] = [{ path, parameters: [...parameters, ...options], operations: operations("") }];
    if (isProxy) {
      paths.push({
        path: `${path}/{path}`,
        parameters: [...parameters, pathParameter, ...options],
        operations: operations("WithPath"),
      });
    }
    return paths;
  }

  #bodyOf({ group, version, kind }: GroupVersionKind): ApiBody {
    return { kind: "type", name: this.#parts.names.typeOfKind(group, version, kind) };
  }

  #streams(): readonly string[] {
    const { protobufMediaType } = this.#parts.naming;
    return [
      ...this.#produces,
      "application/json;stream=watch",
      ...(this.#custom ? [] : [`${protobufMediaType};stream=watch`]),
      ...(this.#hasCbor ? ["application/cbor-seq"] : []),
    ];
  }

  #common(method: ApiMethod, action: string, id: string) {
    return {
      method,
      action,
      id,
      tags: [this.#tag],
      subject: this.#gvk,
      parameters: [] as readonly ApiParameter[],
      consumes: anyMediaType as readonly string[],
      produces: this.#produces,
    };
  }
}

const status: ApiBody = { kind: "type", name: "meta/v1.Status" };
const deleteOptions: ApiBody = { kind: "type", name: "meta/v1.DeleteOptions" };

const methodsOfVerb: Readonly<Partial<Record<Verb, readonly ApiMethod[]>>> = {
  get: ["get"],
  create: ["post"],
  update: ["put"],
  patch: ["patch"],
  delete: ["delete"],
};

function connects({ operations }: ApiPath): boolean {
  return operations.some(({ action }) => action === "connect");
}

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}
