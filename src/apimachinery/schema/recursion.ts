import { append } from "../collections/append.js";
import type { ElementType, MessageSchema } from "./message-schema.js";

/** Finds the types that can contain values of their own type, and so nest without limit. */
export class RecursionFinder {
  readonly #jsonSchemaProps: () => MessageSchema;
  /** Types known to reach no cycle. */
  readonly #finite = new Set<MessageSchema>();

  constructor(jsonSchemaProps: () => MessageSchema) {
    this.#jsonSchemaProps = jsonSchemaProps;
  }

  isRecursive(schema: MessageSchema): boolean {
    if (this.#finite.has(schema)) return false;
    const reached = new Set<MessageSchema>();
    const pending = this.#contained(schema);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === schema) return true;
      if (reached.has(next) || this.#finite.has(next)) continue;
      reached.add(next);
      append(pending, this.#contained(next));
    }
    this.#rememberFinite(schema, new Set());
    return false;
  }

  /** Depth first: a type is finite when all types it contains are. */
  #rememberFinite(schema: MessageSchema, path: Set<MessageSchema>): boolean {
    if (this.#finite.has(schema)) return true;
    if (path.has(schema)) return false;
    path.add(schema);
    let finite = true;
    for (const contained of this.#contained(schema)) {
      if (!this.#rememberFinite(contained, path)) finite = false;
    }
    path.delete(schema);
    if (finite) this.#finite.add(schema);
    return finite;
  }

  #contained(schema: MessageSchema): MessageSchema[] {
    return schema.fields
      .map(({ element }) => this.#messageOf(element))
      .filter((message) => message !== undefined);
  }

  #messageOf(element: ElementType): MessageSchema | undefined {
    if (element.kind === "message") return element.message;
    const holdsSchemas = element.kind === "special" && element.special.startsWith("JSONSchemaProps");
    return holdsSchemas ? this.#jsonSchemaProps() : undefined;
  }
}
