import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { SubresourceDefinition, Verb } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedResource } from "../catalog/api-catalog.js";
import type { ApiBody, ApiMethod, ApiOperation, ApiParameter, ApiResponse } from "./api-path.js";
import { lowerCamel, upperCamel, upperFirst } from "./capitals.js";
import type { TypeSource } from "./declared-schemas.js";
import type { DefinitionNames } from "./definition-names.js";
import type { Descriptions } from "./descriptions.js";
import {
  type SelectingParameters,
  selectingParameters,
  type WritingParameters,
  writingParameters,
} from "./parameters.js";

export interface ResourcePathsParts {
  readonly naming: Naming;
  /** Whether requests and answers may be CBOR. */
  readonly cbor: boolean;
  /** Whether requests may choose what unknown fields lead to. */
  readonly fieldValidation: boolean;
  readonly names: DefinitionNames;
  readonly types: TypeSource;
  readonly descriptions: Descriptions;
  /** The objects and lists of a custom resource; undefined for all other kinds. */
  readonly customBodies: (served: ServedResource) => { object: ApiBody; list: ApiBody } | undefined;
}

/** The group and version as they appear in tags and operation ids. */
export function versionWords(
  naming: Naming,
  group: string,
  version: string,
): { readonly tag: string; readonly title: string } {
  const stem = group === "" ? "core" : withoutSuffix(group, `.${naming.groupDomain}`);
  const separator = version === "" ? "" : "_";
  return {
    tag: `${lowerCamel(stem)}${separator}${version}`,
    title: upperCamel(stem) + upperFirst(version),
  };
}

/** Kubernetes leaves its domain out of other projects' groups in it, too: `gatewayNetworking_v1`. */
function withoutSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

const anyMediaType = ["*/*"];
const customMediaTypes = ["application/json", "application/yaml"];
const unauthorized: ApiResponse = { code: 401 };

/** The operations on a resource in one version, without their paths. */
export class ResourceOperations {
  readonly #parts: ResourcePathsParts;
  readonly #served: ServedResource;
  readonly gvk: GroupVersionKind;
  readonly #tag: string;
  /** `CoreV1`, as it follows the verb in operation ids. */
  readonly #title: string;
  /** `NamespacedPod`. */
  readonly name: string;
  readonly #verbs: ReadonlySet<Verb>;
  readonly #object: ApiBody;
  readonly #list: ApiBody;
  readonly #produces: readonly string[];
  readonly #patchTypes: readonly string[];
  /** Kubernetes documents custom resources with fewer media types, parameters and responses than they have. */
  readonly isCustom: boolean;
  /** Kubernetes does not document CBOR for custom resources. */
  readonly #hasCbor: boolean;
  readonly selecting: SelectingParameters;
  readonly #writing: WritingParameters;

  constructor(parts: ResourcePathsParts, served: ServedResource) {
    const { definition, version } = served;
    const { naming, names } = parts;
    this.#parts = parts;
    this.selecting = selectingParameters(parts.types);
    this.#writing = writingParameters(parts);
    this.#served = served;
    this.gvk = { group: definition.group, version: version.version, kind: definition.kind };
    const words = versionWords(naming, definition.group, version.version);
    this.#tag = words.tag;
    this.#title = words.title;
    this.name = (definition.namespaced ? "Namespaced" : "") + definition.kind;
    this.#verbs = new Set(definition.verbs);
    const custom = parts.customBodies(served);
    const ofKind = (kind: string): ApiBody => ({
      kind: "type",
      name: names.typeOfKind(definition.group, version.version, kind),
    });
    this.isCustom = custom !== undefined;
    this.#hasCbor = parts.cbor && custom === undefined;
    this.#object = custom?.object ?? ofKind(definition.kind);
    this.#list = custom?.list ?? ofKind(`${definition.kind}List`);
    this.#produces = [
      ...customMediaTypes,
      ...(this.isCustom ? [] : [naming.protobufMediaType]),
      ...(this.#hasCbor ? ["application/cbor"] : []),
    ];
    this.#patchTypes = [
      "application/json-patch+json",
      "application/merge-patch+json",
      ...(this.isCustom ? [] : ["application/strategic-merge-patch+json"]),
      "application/apply-patch+yaml",
      ...(this.#hasCbor ? ["application/apply-patch+cbor"] : []),
    ];
  }

  collection(): ApiOperation[] {
    const { kind } = this.gvk;
    const operations: ApiOperation[] = [];
    if (this.#verbs.has("list")) operations.push(this.#listOperation(`list${this.#title}${this.name}`));
    if (this.#verbs.has("create")) {
      operations.push(this.#creation(`create${this.#title}${this.name}`, `Creates a ${kind}.`, this.gvk));
    }
    if (this.#verbs.has("deletecollection")) {
      operations.push({
        ...this.#common("delete", "deletecollection", `delete${this.#title}Collection${this.name}`),
        description: `Deletes every ${kind} that matches.`,
        ...(this.isCustom
          ? { parameters: this.selecting.list }
          : { parameters: this.selecting.deleteCollection, body: { of: deleteOptions, required: false } }),
        responses: [{ code: 200, of: status }, unauthorized],
      });
    }
    return operations;
  }

  single(): ApiOperation[] {
    const { kind } = this.gvk;
    const operations = this.#readReplacePatch("", `the named ${kind}`, this.#verbs, this.#object, this.gvk);
    if (this.#verbs.has("delete")) {
      const answer = this.#documentsDeleted() ? this.#object : status;
      operations.push({
        ...this.#common("delete", "delete", `delete${this.#title}${this.name}`),
        description: `Deletes the named ${kind}.`,
        parameters: this.selecting.delete,
        body: { of: deleteOptions, required: false },
        responses: [{ code: 200, of: answer }, { code: 202, of: answer }, unauthorized],
      });
    }
    return operations;
  }

  /** As in Kubernetes, the documented answer for namespaces is a `Status`, although the namespace is sent. */
  #documentsDeleted(): boolean {
    const { returnsDeletedObject } = this.#served.definition;
    return returnsDeletedObject === true && !(this.gvk.group === "" && this.gvk.kind === "Namespace");
  }

  ofAllNamespaces(): ApiOperation {
    return this.#listOperation(`list${this.#title}${this.gvk.kind}ForAllNamespaces`);
  }

  /** The deprecated watch. `id`: the end of the operation id. */
  watch(action: "watch" | "watchlist", id: string): ApiOperation {
    return {
      ...this.#common("get", action, `watch${this.#title}${id}`),
      description: `Streams changes of ${this.gvk.kind} objects. Deprecated: use the parameter watch of a list.`,
      parameters: [],
      produces: this.#streams(),
      responses: [{ code: 200, of: { kind: "type", name: "meta/v1.WatchEvent" } }, unauthorized],
    };
  }

  /** `subject`: the kind of what the subresource reads and writes. */
  ofSubresource({ name, verbs }: SubresourceDefinition, subject: GroupVersionKind): ApiOperation[] {
    const suffix = upperCamel(name);
    const what = `${name} of the named ${this.gvk.kind}`;
    const known: ReadonlySet<Verb> = new Set(verbs);
    const described = this.isCustom ? this.gvk : subject;
    const operations = this.#readReplacePatch(suffix, what, known, this.#bodyOf(subject), described);
    if (known.has("create")) {
      const id = `create${this.#title}${this.name}${suffix}`;
      operations.push(this.#creation(id, `Creates ${what}.`, subject));
    }
    return operations;
  }

  log(name: string, parameters: readonly ApiParameter[]): ApiOperation {
    return {
      ...this.#common("get", "get", `read${this.#title}${this.name}Log`),
      description: `Reads ${name} of the named ${this.gvk.kind}.`,
      parameters,
      produces: ["text/plain", ...this.#produces],
      responses: [{ code: 200, of: { kind: "text" } }, unauthorized],
    };
  }

  /** `suffix`: the end of the operation id. */
  connection(method: ApiMethod, name: string, subject: GroupVersionKind, suffix: string): ApiOperation {
    const id = `connect${this.#title}${upperFirst(method)}${this.name}${upperCamel(name)}${suffix}`;
    return {
      ...this.#common(method, "connect", id),
      description: `Connects ${method.toUpperCase()} requests to ${name} of the named ${this.gvk.kind}.`,
      subject,
      produces: anyMediaType,
      responses: [{ code: 200, of: { kind: "text" } }, unauthorized],
    };
  }

  #listOperation(id: string): ApiOperation {
    return {
      ...this.#common("get", "list", id),
      description: `Lists or watches ${this.gvk.kind} objects.`,
      parameters: this.selecting.list,
      produces: this.#streams(),
      responses: [{ code: 200, of: this.#list }, unauthorized],
    };
  }

  #creation(id: string, description: string, subject: GroupVersionKind): ApiOperation {
    const of = this.#bodyOf(subject);
    return {
      ...this.#common("post", "post", id),
      description,
      subject,
      parameters: this.#writing.create,
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
    const id = (verb: string): string => `${verb}${this.#title}${this.name}${suffix}`;
    if (verbs.has("get")) {
      operations.push({
        ...this.#common("get", "get", id("read")),
        description: `Reads ${what}.`,
        subject,
        parameters: this.isCustom ? this.selecting.getCustom : [],
        responses: [{ code: 200, of }, unauthorized],
      });
    }
    if (verbs.has("update")) {
      operations.push({
        ...this.#common("put", "put", id("replace")),
        description: `Replaces ${what}.`,
        subject,
        parameters: this.#writing.create,
        body: { of, required: true },
        responses: [{ code: 200, of }, { code: 201, of }, unauthorized],
      });
    }
    if (verbs.has("patch")) {
      operations.push({
        ...this.#common("patch", "patch", id("patch")),
        description: `Changes a part of ${what}, or applies a configuration to it.`,
        subject,
        parameters: this.#writing.patch,
        consumes: this.#patchTypes,
        body: { of: { kind: "type", name: "meta/v1.Patch" }, required: true },
        responses: [{ code: 200, of }, ...(this.isCustom ? [] : [{ code: 201, of }]), unauthorized],
      });
    }
    return operations;
  }

  #bodyOf(subject: GroupVersionKind): ApiBody {
    if (sameKind(subject, this.gvk)) return this.#object;
    const { group, version, kind } = subject;
    return { kind: "type", name: this.#parts.names.typeOfKind(group, version, kind) };
  }

  #streams(): readonly string[] {
    if (this.isCustom) return this.#produces;
    const { protobufMediaType } = this.#parts.naming;
    return [
      ...this.#produces,
      "application/json;stream=watch",
      `${protobufMediaType};stream=watch`,
      ...(this.#hasCbor ? ["application/cbor-seq"] : []),
    ];
  }

  #common(method: ApiMethod, action: string, id: string) {
    return {
      method,
      action,
      id,
      tags: [this.#tag],
      subject: this.gvk,
      parameters: [] as readonly ApiParameter[],
      consumes: (this.isCustom ? customMediaTypes : anyMediaType) as readonly string[],
      produces: this.#produces,
    };
  }
}

const status: ApiBody = { kind: "type", name: "meta/v1.Status" };
const deleteOptions: ApiBody = { kind: "type", name: "meta/v1.DeleteOptions" };

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}
