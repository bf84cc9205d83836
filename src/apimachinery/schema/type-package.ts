import type { MessageDeclaration, TypePackage } from "./declaration.js";

/** The types of a group and version, such as `core/v1`, declared once on first use. */
export function typePackage(
  name: string,
  declare: () => { readonly [typeName: string]: MessageDeclaration },
): TypePackage {
  let declared: ReturnType<TypePackage["declare"]> | undefined;
  return {
    name,
    declare() {
      declared ??= declare();
      return declared;
    },
  };
}
