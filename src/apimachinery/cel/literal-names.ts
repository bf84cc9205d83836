import { CelList, CelMap, type CelValue } from "./cel-value.js";

/**
 * What is wrong with the types of the object literals in a value: each must be named after the fields that lead to it, so `Object.spec` in
 * the field `spec` of `Object`. Items of lists and members of maps have the name of their list or map.
 */
export function misnamedLiterals(value: CelValue, path: string): string[] {
  if (value instanceof CelList) return [...value.values()].flatMap((item) => misnamedLiterals(item, path));
  if (!(value instanceof CelMap)) return [];
  const { typeName } = value;
  const own =
    typeName === undefined || typeName === path
      ? []
      : [
          `unexpected type name ${JSON.stringify(typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
        ];
  const members = [...value.keys()].flatMap((key) =>
    misnamedLiterals(value.get(key) ?? null, typeName === undefined ? path : `${path}.${String(key)}`),
  );
  return [...own, ...members];
}
