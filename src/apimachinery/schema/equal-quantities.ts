import { isObject } from "../collections/is-record.js";
import { Quantity } from "../values/quantity.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * `old` with its quantities written as in `object` wherever both have the same amount in the same field: `1Gi` as `1073741824`.
 * Comparing the two as text then finds only real differences. `old` is not changed, and is returned itself if no quantity differs.
 * Ignores the fields of the outermost message in `except`.
 */
export function withQuantitiesWrittenAsIn<T extends object>(
  object: T,
  old: T,
  schema: MessageSchema,
  except: ReadonlySet<string> = new Set(),
): T {
  const changed: { [name: string]: unknown } = {};
  for (const field of quantityFieldsOf(schema)) {
    if (except.has(field.name)) continue;
    const was: unknown = Reflect.get(old, field.name);
    const rewritten = field.cardinality === "one" ? rewriteOne : rewriteItems;
    const value = rewritten(field.element, Reflect.get(object, field.name), was);
    if (value !== was) changed[field.name] = value;
  }
  return Object.keys(changed).length === 0 ? old : { ...old, ...changed };
}

/** The element type of a list or map. */
function rewriteItems(element: ElementType, now: unknown, was: unknown): unknown {
  if (!isObject(now) || !isObject(was) || now === was) return was;
  const items: [string, unknown][] = Object.entries(was);
  const rewritten = items.map(([key, item]): [string, unknown] => [
    key,
    Object.hasOwn(now, key) ? rewriteOne(element, Reflect.get(now, key), item) : item,
  ]);
  if (rewritten.every(([, item], index) => item === items[index]?.[1])) return was;
  return Array.isArray(was) ? rewritten.map(([, item]) => item) : Object.fromEntries(rewritten);
}

function rewriteOne(element: ElementType, now: unknown, was: unknown): unknown {
  if (now === was) return was;
  if (element.kind === "message") {
    return isObject(now) && isObject(was) ? withQuantitiesWrittenAsIn(now, was, element.message) : was;
  }
  if (typeof now !== "string" || typeof was !== "string") return was;
  return Quantity.parse(now).compare(Quantity.parse(was)) === 0 ? now : was;
}

const quantityFields = new WeakMap<MessageSchema, readonly FieldSchema[]>();

/** The fields that are or contain quantities, at any depth. */
function quantityFieldsOf(schema: MessageSchema): readonly FieldSchema[] {
  let fields = quantityFields.get(schema);
  if (fields === undefined) {
    fields = [...schema.jsonFields.values()].filter(({ element }) => holdsQuantities(element, new Set()));
    quantityFields.set(schema, fields);
  }
  return fields;
}

function holdsQuantities(element: ElementType, seen: Set<MessageSchema>): boolean {
  if (element.kind === "special") return element.special === "Quantity";
  if (element.kind !== "message" || seen.has(element.message)) return false;
  seen.add(element.message);
  return [...element.message.jsonFields.values()].some((field) => holdsQuantities(field.element, seen));
}
