import type { MessageSchema } from "../../src/apimachinery/schema/message-schema.js";

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any;

/** The fields of `value` that the schema has. */
export function fieldsOf(schema: MessageSchema, value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const field = schema.jsonFields.get(name);
      if (field === undefined) return [];
      if (field.element.kind !== "message" || typeof member !== "object" || member === null)
        return [[name, member]];
      const { message } = field.element;
      if (message.jsonFields.size === 0) return [[name, member]];
      if (Array.isArray(member)) return [[name, member.map((item) => fieldsOf(message, item))]];
      if (field.cardinality === "one") return [[name, fieldsOf(message, member)]];
      const items = Object.entries(member).map(([key, item]) => [key, fieldsOf(message, item)]);
      return [[name, Object.fromEntries(items)]];
    }),
  );
}

/** Paths of the values of `value` that the schema has: `spec.devices.requests`. */
export function pathsOf(schema: MessageSchema, value: Json, at = ""): readonly string[] {
  return Object.entries<Json>(value).flatMap(([name, member]) => {
    const field = schema.jsonFields.get(name);
    if (field === undefined) return [];
    const path = at === "" ? name : `${at}.${name}`;
    if (field.element.kind !== "message") return [path];
    const { message } = field.element;
    const members: Json[] = field.cardinality === "one" ? [member] : Object.values(member);
    return [path, ...members.flatMap((each) => pathsOf(message, each, path))];
  });
}

/** Paths of all fields of the schema. A message within itself is left out. */
export function allPaths(schema: MessageSchema, at = "", within: readonly string[] = []): readonly string[] {
  return [...schema.jsonFields.values()].flatMap(({ name, element }) => {
    const path = at === "" ? name : `${at}.${name}`;
    if (element.kind !== "message" || within.includes(element.message.name)) return [path];
    return [path, ...allPaths(element.message, path, [...within, element.message.name])];
  });
}
