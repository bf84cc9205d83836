import { presenceOf } from "../apimachinery/schema/canonical.js";
import type { ElementType, FieldSchema, MessageSchema } from "../apimachinery/schema/message-schema.js";
import { SchemaRegistry, splitName } from "../apimachinery/schema/schema-registry.js";
import { typePackages } from "./type-packages.js";

const header = "// Generated from the type declarations by scripts/generate-types.ts. Do not edit.\n";

/** The text of each file of `gen/`, by file name. */
export function generateTypeFiles(): ReadonlyMap<string, string> {
  const registry = new SchemaRegistry(typePackages);
  return new Map(
    registry.packageNames.map((name) => [`${fileOf(name)}.ts`, generatePackage(registry, name)]),
  );
}

/** `core-v1` for `core/v1`. */
function fileOf(packageName: string): string {
  return packageName.replace("/", "-");
}

function generatePackage(registry: SchemaRegistry, packageName: string): string {
  const imports = new Imports(packageName);
  const messages = registry.messageNames(packageName).map((name) => registry.message(name));
  const interfaces = messages.map((message) => generateInterface(message, imports));
  return `${header}${imports.lines()}\n${interfaces.join("\n")}`;
}

/** Imported types keep their name, or get that of their package as prefix. */
class Imports {
  readonly #packageName: string;
  readonly #names = new Map<string, Set<string>>();
  readonly json = new Set<"JsonObject" | "JsonValue">();
  hasEnums = false;

  constructor(packageName: string) {
    this.#packageName = packageName;
  }

  reference(message: MessageSchema): string {
    const { packageName, typeName } = splitName(message.name);
    if (packageName === this.#packageName) return typeName;
    const alias = aliasOf(packageName, typeName);
    const names = this.#names.get(packageName) ?? new Set();
    this.#names.set(packageName, names.add(alias === typeName ? typeName : `${typeName} as ${alias}`));
    return alias;
  }

  lines(): string {
    const json =
      this.json.size > 0
        ? [
            `import type { ${[...this.json].sort().join(", ")} } from "../../apimachinery/json/json-value.js";\n`,
          ]
        : [];
    const enums = this.hasEnums
      ? ['import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";\n']
      : [];
    const packages = [...this.#names].sort(([a], [b]) => (a < b ? -1 : 1));
    const others = packages.map(
      ([name, types]) => `import type { ${[...types].sort().join(", ")} } from "./${fileOf(name)}.js";\n`,
    );
    return [...json, ...enums, ...others].join("");
  }
}

/** `meta/v1` types are used everywhere, so their names stay; `core/v1.Pod` becomes `CoreV1Pod` in other packages. */
function aliasOf(packageName: string, typeName: string): string {
  if (packageName === "meta/v1") return typeName;
  const words = packageName.split("/").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}${typeName}`;
}

function generateInterface(message: MessageSchema, imports: Imports): string {
  const { typeName } = splitName(message.name);
  const fields = [...message.jsonFields.values()];
  const renamed = fields.filter((field) => field.profileNamed);
  const plain = fields.filter((field) => !field.profileNamed);
  const lines = plain.map((field) => `  ${propertyOf(field, imports)}`);
  if (renamed.length > 0) lines.push(...profileFields(renamed, plain, imports));
  return `export interface ${typeName} {\n${lines.map((line) => `${line}\n`).join("")}}\n`;
}

function propertyOf(field: FieldSchema, imports: Imports): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : JSON.stringify(field.name);
  const type = typeOf(field, imports);
  return field.hasAllLevels && presenceOf(field) === "always"
    ? `${key}: ${type};`
    : `${key}?: ${type} | undefined;`;
}

/** Fields whose names depend on the profile can only be reached by a computed name. */
function profileFields(
  renamed: readonly FieldSchema[],
  plain: readonly FieldSchema[],
  imports: Imports,
): string[] {
  const names = renamed.map((field) => field.neutralName);
  const areExtensions = names.every((name) => name.startsWith("x-"));
  const key = areExtensions ? `[extension: \`x-\${string}\`]` : "[name: string]";
  const fields = areExtensions ? renamed : [...plain, ...renamed];
  const types = new Set(fields.map((field) => typeOf(field, imports)));
  return [
    `  /** Named by the profile: ${names.join(", ")} (see \`Naming.field\`). */`,
    `  ${key}: ${[...types].join(" | ")} | undefined;`,
  ];
}

function typeOf(field: FieldSchema, imports: Imports): string {
  const element = enumType(field, imports) ?? elementType(field.element, imports);
  switch (field.cardinality) {
    case "one":
      return element;
    case "list":
      return element.includes(" ") && !element.endsWith(">") ? `(${element})[]` : `${element}[]`;
    case "map":
      return `{ [key: string]: ${element} }`;
  }
}

function enumType({ enum: values }: FieldSchema, imports: Imports): string | undefined {
  if (values === undefined) return undefined;
  imports.hasEnums = true;
  return `OpenEnum<${values.map((value) => JSON.stringify(value)).join(" | ")}>`;
}

function elementType(element: ElementType, imports: Imports): string {
  switch (element.kind) {
    case "message":
      return imports.reference(element.message);
    case "any":
      imports.json.add("JsonValue");
      return "JsonValue";
    case "scalar":
      switch (element.scalar) {
        case "string":
        case "bytes":
          return "string";
        case "bool":
          return "boolean";
        case "int64":
          return "number | bigint";
        case "int32":
        case "double":
          return "number";
      }
      break;
    case "special":
      break;
  }
  switch (element.special) {
    case "Quantity":
    case "Time":
    case "MicroTime":
    case "Duration":
      return "string";
    case "IntOrString":
      return "number | string";
    case "RawExtension":
    case "JSON":
    case "Unknown":
      imports.json.add("JsonValue");
      return "JsonValue";
    case "FieldsV1":
      imports.json.add("JsonObject");
      return "JsonObject";
    case "StringList":
      return "string[]";
    case "JSONSchemaPropsOrBool":
      return "JSONSchemaProps | boolean";
    case "JSONSchemaPropsOrArray":
      return "JSONSchemaProps | JSONSchemaProps[]";
    case "JSONSchemaPropsOrStringArray":
      // An empty list is read as null: neither a schema nor names.
      return "JSONSchemaProps | string[] | null";
  }
}
