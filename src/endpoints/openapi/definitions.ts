import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiBody } from "./api-path.js";
import { type DeclaredSchemas, decorated, referenceTo, typeMetaProperties } from "./declared-schemas.js";
import type { Dialect } from "./dialect.js";

/** The schema of a definition that is not a declared type. Throws for an unknown name. */
export type GivenSchema = (name: string, definitions: Definitions) => JsonObject;

/** The schemas of one document: the requested types and, recursively, the types that they refer to. */
export class Definitions {
  readonly dialect: Dialect;
  readonly #declared: DeclaredSchemas;
  readonly #given: GivenSchema;
  /** Names of definitions, and where their schemas come from. */
  readonly #needed = new Map<string, "declared" | "given">();

  constructor(declared: DeclaredSchemas, given: GivenSchema) {
    this.#declared = declared;
    this.#given = given;
    this.dialect = declared.dialect;
  }

  /** The schema of a body, by reference. */
  ofBody(body: ApiBody): JsonObject {
    switch (body.kind) {
      case "type":
        return this.reference(body.name);
      case "definition":
        return this.#referenceTo(body.name, "given");
      case "text":
        return { type: "string" };
      default:
        return unreachable(body);
    }
  }

  /** A reference to a declared type by its full name, `core/v1.Pod`; the type is added to the document. */
  reference(typeName: string): JsonObject {
    return this.#referenceTo(this.#declared.nameOf(typeName), "declared");
  }

  /** Each schema with its name. Call it after everything in the document has its references. */
  *schemas(): Iterable<readonly [name: string, schema: JsonObject]> {
    // Iteration over a map includes entries added on the way.
    for (const [name, source] of this.#needed) {
      yield [name, source === "given" ? this.#given(name, this) : this.#declaredSchema(name)];
    }
  }

  /** The common fields of API objects. */
  typeMetaProperties(): JsonObject {
    return typeMetaProperties;
  }

  /** A property's schema with its description. */
  described(schema: JsonObject, description: string): JsonObject {
    return decorated(this.dialect, schema, { description });
  }

  #declaredSchema(name: string): JsonObject {
    const { schema, references } = this.#declared.schemaOf(name);
    for (const reference of references) this.#need(reference, "declared");
    return schema;
  }

  #referenceTo(name: string, source: "declared" | "given"): JsonObject {
    this.#need(name, source);
    return referenceTo(name, this.dialect);
  }

  #need(name: string, source: "declared" | "given"): void {
    if (!this.#needed.has(name)) this.#needed.set(name, source);
  }
}
