/** Parsed JSON of a response. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path of names and indexes; undefined when there is none. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isObject(current) && Object.hasOwn(current, step)) current = current[String(step)];
    else if (isList(current) && typeof step === "number") current = current[step];
    else return undefined;
  }
  return current;
}

/** Empty when there is no text at the path. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** 0 when there is no number at the path. */
export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  return typeof found === "number" || typeof found === "bigint" ? Number(found) : 0;
}

export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path);
  return isList(found) ? found : [];
}

export function objectAt(value: Json | undefined, ...path: readonly (string | number)[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

export function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

export function parseObject(text: string): JsonObject {
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed)) throw new Error("the server answered with something other than an object");
  return parsed;
}

/** Prints large integers without loss of precision. */
export function printJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (isList(value)) return `[${value.map(printJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${printJson(each)}`)
    .join()}}`;
}
