import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import {
  type SubresourceDefinition,
  subresourcesOf,
  type Verb,
} from "../../apis/definition/resource-definition.js";
import type { ServedResource } from "../catalog/api-catalog.js";
import type { ApiMethod, ApiParameter, ApiPath } from "./api-path.js";
import { withCommonParameters } from "./common-parameters.js";
import {
  nameParameter,
  namespaceParameter,
  optionParameters,
  pathParameter,
  prettyParameter,
} from "./parameters.js";
import { ResourceOperations, type ResourcePathsParts } from "./resource-operations.js";

/** All paths of a resource in one version, including its subresources. */
export function resourcePaths(parts: ResourcePathsParts, served: ServedResource): ApiPath[] {
  return new ResourcePaths(parts, served).all();
}

class ResourcePaths {
  readonly #parts: ResourcePathsParts;
  readonly #served: ServedResource;
  readonly #operations: ResourceOperations;
  /** `/apis/apps/v1` */
  readonly #root: string;
  /** The collection below the root, within a namespace if there are any: `/namespaces/{namespace}/deployments`. */
  readonly #within: string;
  /** The parameters of a collection's path. */
  readonly #place: readonly ApiParameter[];
  /** The parameters of an object's path. */
  readonly #one: readonly ApiParameter[];

  constructor(parts: ResourcePathsParts, served: ServedResource) {
    this.#parts = parts;
    this.#served = served;
    this.#operations = new ResourceOperations(parts, served);
    const { group, version } = this.#operations.gvk;
    const { namespaced, resource, kind } = served.definition;
    this.#root = `/${group === "" ? "api" : `apis/${group}`}/${version}`;
    this.#within = namespaced ? `/namespaces/{namespace}/${resource}` : `/${resource}`;
    this.#place = namespaced ? [namespaceParameter] : [];
    this.#one = [nameParameter(kind), ...this.#place];
  }

  all(): ApiPath[] {
    const collection = `${this.#root}${this.#within}`;
    return [
      { path: collection, parameters: this.#place, operations: this.#operations.collection() },
      { path: `${collection}/{name}`, parameters: this.#one, operations: this.#operations.single() },
      ...subresourcesOf(this.#served).flatMap((subresource) => this.#subresource(subresource)),
      ...this.#ofAllNamespaces(),
      ...this.#watches(),
    ]
      .filter(({ operations }) => operations.length > 0)
      .map((path) =>
        withCommonParameters(
          connects(path) ? path : { ...path, parameters: [...path.parameters, prettyParameter] },
        ),
      );
  }

  #ofAllNamespaces(): ApiPath[] {
    const { namespaced, resource, verbs } = this.#served.definition;
    if (!namespaced || !verbs.includes("list")) return [];
    const operations = [this.#operations.ofAllNamespaces()];
    return [{ path: `${this.#root}/${resource}`, parameters: [], operations }];
  }

  /** The deprecated watches have paths of their own, which Kubernetes does not document for custom resources. */
  #watches(): ApiPath[] {
    const { namespaced, resource, verbs, kind } = this.#served.definition;
    const { name, selecting, isCustom } = this.#operations;
    if (isCustom || !verbs.includes("watch")) return [];
    const watch = (
      path: string,
      action: "watch" | "watchlist",
      id: string,
      parameters: readonly ApiParameter[],
    ): ApiPath => ({
      path: `${this.#root}/watch${path}`,
      parameters: [...parameters, ...selecting.list],
      operations: [this.#operations.watch(action, id)],
    });
    return [
      watch(this.#within, "watchlist", `${name}List`, this.#place),
      watch(`${this.#within}/{name}`, "watch", name, this.#one),
      ...(namespaced ? [watch(`/${resource}`, "watchlist", `${kind}ListForAllNamespaces`, [])] : []),
    ];
  }

  #subresource(subresource: SubresourceDefinition): ApiPath[] {
    const { name } = subresource;
    const path = `${this.#root}${this.#within}/{name}/${name}`;
    const subject = this.#subjectOf(subresource);
    const at = { path, parameters: this.#one };
    if (name === "log") {
      const options = { ...this.#operations.gvk, kind: `${this.#operations.gvk.kind}LogOptions` };
      return [{ ...at, operations: [this.#operations.log(name, this.#optionsOf(options))] }];
    }
    if (subresource.kind !== "part" && subject.kind.endsWith("Options"))
      return this.#connections(subresource, subject, path);
    return [{ ...at, operations: this.#operations.ofSubresource(subresource, subject) }];
  }

  #subjectOf(subresource: SubresourceDefinition): GroupVersionKind {
    const { gvk } = this.#operations;
    if (subresource.kind === "part") return gvk;
    if (subresource.kind === "scale") return { group: "autoscaling", version: "v1", kind: "Scale" };
    const { object } = subresource;
    return object.version === "" ? { ...gvk, kind: object.kind } : object;
  }

  /** Connect subresources: streams to a node, and proxies, which accept any method and path. */
  #connections({ name, verbs }: SubresourceDefinition, subject: GroupVersionKind, path: string): ApiPath[] {
    const options = this.#optionsOf(subject);
    const isProxy = options.some((option) => option.name === "path");
    const methods = verbs.flatMap((verb) => methodsOfVerb[verb] ?? []);
    if (isProxy) methods.push("options", "head");
    const operations = (suffix: string) =>
      methods.map((method) => this.#operations.connection(method, name, subject, suffix));
    const paths: ApiPath[] = [{ path, parameters: [...this.#one, ...options], operations: operations("") }];
    if (isProxy) {
      paths.push({
        path: `${path}/{path}`,
        parameters: [...this.#one, pathParameter, ...options],
        operations: operations("WithPath"),
      });
    }
    return paths;
  }

  /** Query parameters from the fields of an options type. */
  #optionsOf({ group, version, kind }: GroupVersionKind): readonly ApiParameter[] {
    const { names, types, descriptions } = this.#parts;
    const name = names.typeOfKind(group, version, kind);
    return types.has(name) ? optionParameters(types.message(name), descriptions) : [];
  }
}

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
