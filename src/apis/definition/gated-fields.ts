import { addToList } from "../../apimachinery/collections/groups.js";
import { isObject } from "../../apimachinery/collections/is-record.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { FieldSchema, MessageSchema } from "../../apimachinery/schema/message-schema.js";

/**
 * The fields of a kind whose feature gate (`featureGate`) is off: clients cannot start to use them. Collected at the kind's first write.
 */
export class GatedFields {
  readonly #schema: () => MessageSchema;
  readonly #isEnabled: (gate: FeatureGateName) => boolean;
  readonly #paths = new Map<MessageSchema, Paths>();
  /** Paths in messages whose own gated fields are kept (`keepsGatedFields: "own"`). */
  readonly #pathsOfTemplates = new Map<MessageSchema, Paths>();

  constructor(schema: () => MessageSchema, isEnabled: (gate: FeatureGateName) => boolean) {
    this.#schema = schema;
    this.#isEnabled = isEnabled;
  }

  /**
   * Removes, in place, the values of these fields, unless `old` has one in the same field of the same type: for a field of containers, in
   * any container.
   */
  drop(object: object, old?: object): void {
    const used = this.#usesOf(object);
    if (used.size === 0) return;
    const before = old === undefined ? noUses : this.#usesOf(old);
    for (const [field, holders] of used) {
      if (before.has(field)) continue;
      for (const holder of holders) Reflect.set(holder, field.name, undefined);
    }
  }

  #usesOf(object: object): Uses {
    const paths = this.#pathsOf(this.#schema());
    if (paths.gated.length === 0 && paths.parts.length === 0) return noUses;
    const uses = new Map<FieldSchema, object[]>();
    this.#collectUses(paths, object, uses);
    return uses;
  }

  #collectUses({ gated, parts }: Paths, object: object, uses: Map<FieldSchema, object[]>): void {
    for (const field of gated) {
      if (!isSet(field, Reflect.get(object, field.name))) continue;
      addToList(uses, field, object);
    }
    for (const { field, message } of parts) {
      const value: unknown = Reflect.get(object, field.name);
      if (!isObject(value)) continue;
      const paths = this.#pathsOf(message, field.keepsGatedFields === "own");
      if (field.cardinality === "one") this.#collectUses(paths, value, uses);
      else for (const item of Object.values(value)) if (isObject(item)) this.#collectUses(paths, item, uses);
    }
  }

  #pathsOf(message: MessageSchema, keepsOwn = false): Paths {
    const known = keepsOwn ? this.#pathsOfTemplates : this.#paths;
    let paths = known.get(message);
    if (paths === undefined) {
      paths = this.#findPaths(message, keepsOwn);
      known.set(message, paths);
    }
    return paths;
  }

  #findPaths(message: MessageSchema, keepsOwn: boolean): Paths {
    const fields = [...message.jsonFields.values()];
    const parts = fields.flatMap((field) =>
      field.element.kind === "message" && !this.#isGated(field) && this.#leadsFurther(field, new Set())
        ? [{ field, message: field.element.message }]
        : [],
    );
    return { gated: keepsOwn ? [] : fields.filter((field) => this.#isGated(field)), parts };
  }

  /** Whether the message has gated fields at any depth. */
  #leads(message: MessageSchema, seen: Set<MessageSchema>, keepsOwn: boolean): boolean {
    if (seen.has(message)) return false;
    seen.add(message);
    return [...message.jsonFields.values()].some((field) =>
      this.#isGated(field) ? !keepsOwn : this.#leadsFurther(field, seen),
    );
  }

  #leadsFurther({ element, keepsGatedFields }: FieldSchema, seen: Set<MessageSchema>): boolean {
    if (element.kind !== "message" || keepsGatedFields === true) return false;
    return this.#leads(element.message, seen, keepsGatedFields === "own");
  }

  #isGated({ featureGate }: FieldSchema): boolean {
    return featureGate !== undefined && !this.#isEnabled(featureGate);
  }
}

/** How gated fields are reached from a message: its own gated fields, and the fields whose messages contain some. */
interface Paths {
  readonly gated: readonly FieldSchema[];
  readonly parts: readonly { readonly field: FieldSchema; readonly message: MessageSchema }[];
}

/** By gated field: the objects in which it is set. */
type Uses = ReadonlyMap<FieldSchema, readonly object[]>;

const noUses: Uses = new Map();

/** A pointer to a zero value is set. Other zero values are always present in canonical form, so they are not. */
function isSet({ pointer }: FieldSchema, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (value === "") return pointer;
  return !Array.isArray(value) || value.length > 0;
}
