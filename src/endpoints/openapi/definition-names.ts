import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type { SpecialType } from "../../apimachinery/schema/declaration.js";
import type { Naming } from "../../naming/naming.js";

/** Stems of groups whose name differs from the package of their types. */
const stemOfPackage: ReadonlyMap<string, string> = new Map([
  ["core", ""],
  ["rbac", "rbac.authorization"],
  ["flowcontrol", "flowcontrol.apiserver"],
  ["apiserverinternal", "internal.apiserver"],
]);

/** Names of types in OpenAPI documents: `core/v1.Pod` is `io.….api.core.v1.Pod`. */
export class DefinitionNames {
  readonly #naming: Naming;
  readonly #packageOfStem = new Map([...stemOfPackage].map(([name, stem]) => [stem, name]));

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** The answer of `/version`, which is not an API type. */
  get versionInfo(): string {
    return `${this.#naming.openApiPrefix}.apimachinery.pkg.version.Info`;
  }

  /** The definition of a declared type, from its full name `core/v1.Pod`. */
  ofType(typeName: string): string {
    const slash = typeName.indexOf("/");
    const rest = typeName.slice(slash + 1);
    return `${this.#packagePath(typeName.slice(0, slash))}.${rest}`;
  }

  /** The definition of a type with its own encoding; undefined for types that are inlined. */
  ofSpecial(special: SpecialType): string | undefined {
    const { openApiPrefix } = this.#naming;
    switch (special) {
      case "Quantity":
        return `${openApiPrefix}.apimachinery.pkg.api.resource.Quantity`;
      case "IntOrString":
        return `${openApiPrefix}.apimachinery.pkg.util.intstr.IntOrString`;
      case "RawExtension":
        return `${openApiPrefix}.apimachinery.pkg.runtime.RawExtension`;
      case "Time":
      case "MicroTime":
      case "Duration":
      case "FieldsV1":
        return `${this.#packagePath("meta")}.v1.${special}`;
      case "JSON":
      case "JSONSchemaPropsOrBool":
      case "JSONSchemaPropsOrArray":
      case "JSONSchemaPropsOrStringArray":
        return `${this.#packagePath("apiextensions")}.v1.${special}`;
      case "StringList":
      case "Unknown":
        return undefined;
      default:
        return unreachable(special);
    }
  }

  /** The definition of a custom resource's kind: `example.com`, `v1`, `Widget` is `com.example.v1.Widget`. */
  ofCustomKind(group: string, version: string, kind: string): string {
    return [...group.split(".").reverse(), version, kind].join(".");
  }

  /** The type of a built-in kind: group and version as served, `core/v1.Pod`. */
  typeOfKind(group: string, version: string, kind: string): string {
    const stem = this.#naming.groupStem(group);
    return `${this.#packageOfStem.get(stem) ?? stem}/${version}.${kind}`;
  }

  /** Group (in the profile) and version of a package's types. */
  groupVersionOf(typeName: string): { readonly group: string; readonly version: string } {
    const slash = typeName.indexOf("/");
    const name = typeName.slice(0, slash);
    const version = typeName.slice(slash + 1, typeName.lastIndexOf("."));
    return { group: this.#naming.group(stemOfPackage.get(name) ?? name), version };
  }

  #packagePath(name: string): string {
    const { openApiPrefix, prefix } = this.#naming;
    switch (name) {
      case "meta":
        return `${openApiPrefix}.apimachinery.pkg.apis.meta`;
      case "apiextensions":
        return `${openApiPrefix}.apiextensions-apiserver.pkg.apis.apiextensions`;
      case "apiregistration":
        return `${openApiPrefix}.${prefix}-aggregator.pkg.apis.apiregistration`;
      default:
        return `${openApiPrefix}.api.${name}`;
    }
  }
}
