import { nameOf } from "../state/session.ts";
import { groupVersionOf, type Resource } from "./discovery.ts";
import {
  at,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  parseObject,
  textAt,
} from "./json.ts";
import { getText } from "./request.ts";

/** A type in the server's OpenAPI document, from which those of its fields are found. */
export class Schema {
  readonly #node: JsonObject;
  readonly #document: JsonObject;

  constructor(node: JsonObject, document: JsonObject) {
    this.#document = document;
    this.#node = this.#resolved(node);
  }

  get description(): string {
    return textAt(this.#node, "description");
  }

  /** `string`, `integer`, `map`, `list of Container`, if the schema declares it. */
  get typeName(): string {
    const type = textAt(this.#node, "type");
    if (type === "array") return `list of ${this.items()?.typeName ?? "values"}`;
    if (type === "object") return this.properties().size > 0 ? "object" : "map";
    return this.#node["x-int-or-string"] === true ? "integer or string" : type || "any";
  }

  get values(): readonly string[] {
    return listAt(this.#node, "enum").map(String);
  }

  get isRequired(): ReadonlySet<string> {
    return new Set(listAt(this.#node, "required").map(String));
  }

  properties(): ReadonlyMap<string, Schema> {
    const properties = objectAt(this.#node, "properties");
    return new Map(
      Object.entries(properties).map(([name, each]) => [name, new Schema(objectAt(each), this.#document)]),
    );
  }

  /** The schema of the field `name`, or of a map's values; undefined if there is none. */
  member(name: string): Schema | undefined {
    const own = at(this.#node, "properties", name);
    if (isObject(own)) return new Schema(own, this.#document);
    const others = this.#node.additionalProperties;
    return isObject(others) ? new Schema(others, this.#document) : undefined;
  }

  /** Whether a field that is not declared is an error. */
  get isClosed(): boolean {
    return (
      isObject(this.#node.properties) &&
      !isObject(this.#node.additionalProperties) &&
      this.#node.additionalProperties !== true &&
      this.#extension("preserve-unknown-fields") !== true
    );
  }

  items(): Schema | undefined {
    const { items } = this.#node;
    return isObject(items) ? new Schema(items, this.#document) : undefined;
  }

  /** Whether the entries of a list or a map are owned by managers one by one, or all together. */
  get listType(): "atomic" | "set" | "map" {
    const type = this.#extension("list-type");
    if (type === "map" || type === "set") return type;
    if (type === undefined && this.#extension("patch-strategy") !== undefined)
      return this.#extension("patch-merge-key") === undefined ? "set" : "map";
    return "atomic";
  }

  get isAtomicMap(): boolean {
    return this.#extension("map-type") === "atomic";
  }

  /** The fields that identify the items of a list of the type "map". */
  get listKeys(): readonly string[] {
    const keys = this.#extension("list-map-keys");
    if (isList(keys)) return keys.map(String);
    const key = this.#extension("patch-merge-key");
    return typeof key === "string" ? [key] : [];
  }

  /** The value of a list key that an item does not set. */
  get defaultValue(): Json | undefined {
    return this.#node.default;
  }

  #extension(name: string): Json | undefined {
    return this.#node[`${nameOf("extensionPrefix")}${name}`];
  }

  /** Follows references. Members next to a reference are kept. */
  #resolved(node: JsonObject, depth = 0): JsonObject {
    const reference = textAt(node, "$ref") || textAt(node, "allOf", 0, "$ref");
    if (reference === "" || depth > 8) return node;
    const target = objectAt(this.#document, "components", "schemas", reference.split("/").at(-1) ?? "");
    const { $ref: _, allOf: __, ...rest } = node;
    const { description, ...others } = this.#resolved(target, depth + 1);
    return { ...(description !== undefined && { description }), ...others, ...rest };
  }
}

const documents = new Map<string, { readonly url: string; readonly document: Promise<JsonObject> }>();

/** The type of a resource; undefined when the server does not describe it. */
export async function schemaOf(resource: Resource): Promise<Schema | undefined> {
  try {
    const path = `${resource.group === "" ? "api" : "apis"}/${groupVersionOf(resource)}`;
    const index = parseObject(await getText("/openapi/v3"));
    // The URL names the version of the document, so that an old one is never taken for a new one.
    const url = textAt(index, "paths", path, "serverRelativeURL");
    if (url === "") return undefined;
    let known = documents.get(path);
    if (known?.url !== url) {
      known = { url, document: getText(url).then(parseObject) };
      documents.set(path, known);
    }
    const document = await known.document;
    const schemas = objectAt(document, "components", "schemas");
    const node = Object.values(schemas).find((schema) =>
      listAt(schema, `${nameOf("extensionPrefix")}group-version-kind`).some(
        (each) =>
          textAt(each, "group") === resource.group &&
          textAt(each, "version") === resource.version &&
          textAt(each, "kind") === resource.kind,
      ),
    );
    return isObject(node) ? new Schema(node, document) : undefined;
  } catch {
    return undefined;
  }
}
