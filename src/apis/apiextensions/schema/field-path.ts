import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

export interface FoundField {
  /** Undefined where anything is allowed. */
  readonly schema?: JSONSchemaProps | undefined;
  /** Why there is no schema at the path. */
  readonly problem?: string;
}

const nowhere: FoundField = { problem: "does not refer to a valid field" };
const endsEarly: FoundField = { problem: "unexpected end of JSON path" };

/**
 * Finds the schema at the end of a path such as `.spec.colour`, or with `allowsKeys` `.spec['a name']`. Source: kube-apiserver 1.28,
 * field paths of validation rules.
 */
export function findField(
  path: string,
  root: JSONSchemaProps,
  { allowsKeys }: { readonly allowsKeys: boolean },
): FoundField {
  let schema: JSONSchemaProps | undefined = root;
  // Read step by step, because a path may be far longer than the schema is deep.
  const token = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/suy;
  const next = (): string | undefined => token.exec(path)?.[0];
  for (let start = next(); start !== undefined; start = next()) {
    if (start === "[" && !allowsKeys) return { problem: "array notation is not allowed" };
    if (start !== "." && start !== "[") return { problem: `expected [ or . but got: ${start}` };
    const text = next();
    if (text === undefined) return endsEarly;
    const name = start === "." ? text : nameInQuotes(text);
    if (name === undefined) return { problem: `expected single quoted string but got ${text}` };
    const here: JSONSchemaProps = schema ?? {};
    const { properties, additionalProperties } = here;
    if (properties !== undefined) {
      schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return nowhere;
    } else if (additionalProperties !== undefined) {
      schema = typeof additionalProperties === "object" ? additionalProperties : undefined;
    } else {
      return nowhere;
    }
    const end = start === "." ? "]" : next();
    if (end !== "]") return end === undefined ? endsEarly : { problem: `expected ] but got ${end}` };
  }
  return { schema };
}

function nameInQuotes(token: string): string | undefined {
  return token.length > 1 && token.startsWith("'") && token.endsWith("'")
    ? token.slice(1, -1).replace(/\\([\\'])/g, "$1")
    : undefined;
}
