import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/** Where a value holds bytes, which JSON has in base64: the value itself, every element of a list or map, or members of an object. */
export type BinaryPlace =
  | { readonly kind: "bytes" }
  | { readonly kind: "each"; readonly of: BinaryPlace }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, BinaryPlace> };

const places = new WeakMap<MessageSchema, { readonly place: BinaryPlace | undefined }>();
const bytes: BinaryPlace = { kind: "bytes" };

/** Undefined for a type without bytes, as most are. */
export function binaryMembers(message: MessageSchema | undefined): BinaryPlace | undefined {
  if (message === undefined) return undefined;
  const known = places.get(message);
  if (known !== undefined) return known.place;
  const place = reachesBytes(message, new Set()) ? placeIn(message) : undefined;
  places.set(message, { place });
  return place;
}

/** Types may contain themselves. */
function reachesBytes(message: MessageSchema, seen: Set<MessageSchema>): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  for (const { element } of message.jsonFields.values()) {
    if (isBytes(element) || (element.kind === "message" && reachesBytes(element.message, seen))) return true;
  }
  return false;
}

function placeIn(message: MessageSchema): BinaryPlace {
  const members = new Map<string, BinaryPlace>();
  const place: BinaryPlace = { kind: "object", members };
  places.set(message, { place });
  for (const [name, field] of message.jsonFields) {
    const found = placeOf(field);
    if (found !== undefined) members.set(name, found);
  }
  return place;
}

function placeOf({ element, cardinality }: FieldSchema): BinaryPlace | undefined {
  const of =
    element.kind === "message" ? binaryMembers(element.message) : isBytes(element) ? bytes : undefined;
  return of === undefined || cardinality === "one" ? of : { kind: "each", of };
}

function isBytes(element: ElementType): boolean {
  return element.kind === "scalar" && element.scalar === "bytes";
}
