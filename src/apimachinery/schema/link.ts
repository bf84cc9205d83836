import type { FieldDeclaration, MessageDeclaration, ScalarType, SpecialType } from "./declaration.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

export interface LinkScope {
  message(name: string): MessageSchema;
  fieldName(neutral: string): string;
}

const scalars: ReadonlySet<string> = new Set<ScalarType>([
  "string",
  "bool",
  "int32",
  "int64",
  "double",
  "bytes",
]);

const specials: ReadonlySet<string> = new Set<SpecialType>([
  "Quantity",
  "IntOrString",
  "Time",
  "MicroTime",
  "Duration",
  "RawExtension",
  "JSON",
  "FieldsV1",
  "StringList",
  "JSONSchemaPropsOrBool",
  "JSONSchemaPropsOrArray",
  "JSONSchemaPropsOrStringArray",
  "Unknown",
]);

function isScalar(type: string): type is ScalarType {
  return scalars.has(type);
}

function isSpecial(type: string): type is SpecialType {
  return specials.has(type);
}

/**
 * A message whose fields are linked on first access, so that asking for one type does not walk everything it reaches, and types may
 * refer to themselves.
 */
export class LinkedMessage implements MessageSchema {
  readonly name: string;
  readonly kind: string | undefined;
  readonly structType: "atomic" | "granular" | undefined;
  readonly union: boolean;
  readonly hasProtobuf: boolean;
  readonly #declaration: MessageDeclaration;
  readonly #scope: LinkScope;
  #fields: readonly FieldSchema[] | undefined;
  #jsonFields: ReadonlyMap<string, FieldSchema> | undefined;

  constructor(name: string, declaration: MessageDeclaration, scope: LinkScope) {
    this.name = name;
    this.kind = declaration.kind;
    this.structType = declaration.structType;
    this.union = declaration.union ?? false;
    this.hasProtobuf = declaration.protobuf ?? true;
    this.#declaration = declaration;
    this.#scope = scope;
  }

  get fields(): readonly FieldSchema[] {
    this.#fields ??= Object.entries(this.#declaration.fields).map(([name, declaration]) =>
      linkField(name, declaration, this.#scope),
    );
    return this.#fields;
  }

  get jsonFields(): ReadonlyMap<string, FieldSchema> {
    this.#jsonFields ??= new Map(flattenInline(this.fields).map((field) => [field.name, field]));
    return this.#jsonFields;
  }
}

function flattenInline(fields: readonly FieldSchema[]): FieldSchema[] {
  return fields.flatMap((field) =>
    field.inline && field.element.kind === "message" ? flattenInline(field.element.message.fields) : [field],
  );
}

function linkField(neutralName: string, declaration: FieldDeclaration, scope: LinkScope): FieldSchema {
  const element = linkElement(declaration, scope);
  const cardinality = declaration.list ? "list" : declaration.map ? "map" : "one";
  const patchStrategies = splitStrategies(declaration.patchStrategy);
  const merges = patchStrategies.includes("merge");
  const list = cardinality === "list" ? listMerging(declaration, merges) : undefined;
  return {
    name: declaration.profileNamed ? scope.fieldName(neutralName) : neutralName,
    neutralName,
    profileNamed: declaration.profileNamed ?? false,
    number: declaration.number,
    cardinality,
    element,
    pointer: declaration.pointer ?? false,
    omitempty: declaration.omitempty ?? false,
    optional: declaration.optional ?? false,
    nullable: declaration.nullable ?? false,
    inline: declaration.inline ?? false,
    patchStrategies,
    patchMergeKey: declaration.patchMergeKey,
    listType: list?.type,
    declaredListType: declaration.listType,
    listMapKeys: list?.keys ?? [],
    get structure() {
      return structureOf(declaration, element, cardinality);
    },
    default: declaration.default,
    enum: declaration.enum,
    featureGate: declaration.featureGate,
    unionDiscriminator: declaration.unionDiscriminator ?? false,
    deferred: declaration.deferred ?? false,
    elementName: withoutGroup(declaration.elementName),
    collectionName: withoutGroup(declaration.collectionName),
  };
}

function withoutGroup(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf("/") + 1);
}

function splitStrategies(strategy: FieldDeclaration["patchStrategy"]): FieldSchema["patchStrategies"] {
  if (strategy === undefined) return [];
  return strategy === "merge,retainKeys" ? ["merge", "retainKeys"] : [strategy];
}

function linkElement({ type, embeddedType }: FieldDeclaration, scope: LinkScope): ElementType {
  if (type === "any") return { kind: "any" };
  if (isScalar(type)) return { kind: "scalar", scalar: type };
  if (isSpecial(type)) return { kind: "special", special: type };
  return { kind: "message", message: scope.message(type), ...(embeddedType && { embeddedType }) };
}

/** Without a list type, a list that strategic merge patch merges is associative for server-side apply too. */
function listMerging(
  declaration: FieldDeclaration,
  merges: boolean,
): { type: "atomic" | "set" | "map"; keys: readonly string[] } {
  if (declaration.listType !== undefined) {
    return { type: declaration.listType, keys: declaration.listMapKeys ?? [] };
  }
  if (!merges) return { type: "atomic", keys: [] };
  return declaration.patchMergeKey === undefined
    ? { type: "set", keys: [] }
    : { type: "map", keys: [declaration.patchMergeKey] };
}

function structureOf(
  declaration: FieldDeclaration,
  element: ElementType,
  cardinality: FieldSchema["cardinality"],
): "atomic" | "granular" {
  if (cardinality === "map") return declaration.mapType ?? "granular";
  const ofType = element.kind === "message" ? element.message.structType : undefined;
  return declaration.structType ?? ofType ?? "granular";
}
