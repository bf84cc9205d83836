import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Schema } from "../api/schema.ts";
import type { YamlMistake } from "./yaml-text.ts";

/** Keys that the schema does not have, where it allows no additional ones. */
export function unknownFields(node: Node | null, schema: Schema | undefined): readonly YamlMistake[] {
  const found: YamlMistake[] = [];
  find(node, schema, found);
  return found;
}

function find(node: unknown, schema: Schema | undefined, found: YamlMistake[]): void {
  if (schema === undefined) return;
  if (isMap(node)) {
    const { isClosed } = schema;
    for (const { key, value } of node.items) {
      if (!isScalar(key) || typeof key.value !== "string") continue;
      const member = schema.member(key.value);
      if (member !== undefined) find(value, member, found);
      else if (isClosed && key.range)
        found.push({
          message: `The schema has no field ${key.value} here.`,
          from: key.range[0],
          to: key.range[1],
        });
    }
  } else if (isSeq(node)) {
    const items = schema.items();
    for (const item of node.items) find(item, items, found);
  }
}
