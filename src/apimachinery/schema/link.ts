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
  #embeddingTypes: ReadonlyMap<string, readonly string[]> | undefined;

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
    this.#fields ??= Object.entries(this.#declaration.fields).map(
      ([name, declaration]) => new LinkedField(name, declaration, this.#scope),
    );
    return this.#fields;
  }

  get jsonFields(): ReadonlyMap<string, FieldSchema> {
    this.#jsonFields ??= new Map(flattenInline(this.fields).map((field) => [field.name, field]));
    return this.#jsonFields;
  }

  get embeddingTypes(): ReadonlyMap<string, readonly string[]> {
    this.#embeddingTypes ??= new Map(this.fields.flatMap(embeddingsWithin));
    return this.#embeddingTypes;
  }
}

function flattenInline(fields: readonly FieldSchema[]): FieldSchema[] {
  return fields.flatMap((field) =>
    field.inline && field.element.kind === "message" ? flattenInline(field.element.message.fields) : [field],
  );
}

function embeddingsWithin({ inline, element }: FieldSchema): [field: string, types: readonly string[]][] {
  if (!inline || element.kind !== "message") return [];
  const { name, jsonFields, embeddingTypes } = element.message;
  const type = name.slice(name.indexOf(".") + 1);
  return [...jsonFields.keys()].map((field) => [field, [type, ...(embeddingTypes.get(field) ?? [])]]);
}

/** A class, because a literal with an accessor is a dictionary to V8: 1.6 KB for each of thousands of fields. */
class LinkedField implements FieldSchema {
  readonly name: string;
  readonly neutralName: string;
  readonly profileNamed: boolean;
  readonly number: number;
  readonly cardinality: FieldSchema["cardinality"];
  readonly element: ElementType;
  readonly pointer: boolean;
  readonly omitempty: boolean;
  readonly omitzero: boolean;
  readonly keepsEmpty: boolean;
  readonly optional: boolean;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly inline: boolean;
  readonly patchStrategies: FieldSchema["patchStrategies"];
  readonly patchMergeKey: FieldSchema["patchMergeKey"];
  readonly listType: FieldSchema["listType"];
  readonly declaredListType: FieldSchema["declaredListType"];
  readonly listMapKeys: FieldSchema["listMapKeys"];
  readonly declaredStructure: FieldSchema["declaredStructure"];
  readonly default: FieldSchema["default"];
  readonly enum: FieldSchema["enum"];
  readonly featureGate: FieldSchema["featureGate"];
  readonly keepsGatedFields: boolean | "own";
  readonly unionDiscriminator: boolean;
  readonly deferred: boolean;
  readonly hasAllLevels: boolean;
  readonly elementName: FieldSchema["elementName"];
  readonly collectionName: FieldSchema["collectionName"];
  readonly #declaration: FieldDeclaration;

  constructor(neutralName: string, declaration: FieldDeclaration, scope: LinkScope) {
    const patchStrategies = splitStrategies(declaration.patchStrategy);
    const merges = patchStrategies.includes("merge");
    const list = declaration.list ? listMerging(declaration, merges) : undefined;
    this.name = declaration.profileNamed ? scope.fieldName(neutralName) : neutralName;
    this.neutralName = neutralName;
    this.profileNamed = declaration.profileNamed ?? false;
    this.number = declaration.number;
    this.cardinality = declaration.list ? "list" : declaration.map ? "map" : "one";
    this.element = linkElement(declaration, scope);
    this.pointer = declaration.pointer ?? false;
    this.omitempty = declaration.omitempty ?? false;
    this.omitzero = declaration.omitzero ?? false;
    this.keepsEmpty = declaration.keepsEmpty ?? false;
    this.optional = declaration.optional ?? false;
    this.required = declaration.required ?? false;
    this.nullable = declaration.nullable ?? false;
    this.inline = declaration.inline ?? false;
    this.patchStrategies = patchStrategies;
    this.patchMergeKey = declaration.patchMergeKey;
    this.listType = list?.type;
    this.declaredListType = declaration.listType;
    this.listMapKeys = list?.keys ?? [];
    this.declaredStructure = declaration.mapType ?? declaration.structType;
    this.default = declaration.default;
    this.enum = declaration.enum;
    this.featureGate = declaration.featureGate;
    this.keepsGatedFields = declaration.keepsGatedFields ?? false;
    this.unionDiscriminator = declaration.unionDiscriminator ?? false;
    this.deferred = declaration.deferred ?? false;
    this.hasAllLevels = declaration.since === undefined && declaration.until === undefined;
    this.elementName = withoutGroup(declaration.elementName);
    this.collectionName = withoutGroup(declaration.collectionName);
    this.#declaration = declaration;
  }

  get structure(): "atomic" | "granular" {
    return structureOf(this.#declaration, this.element, this.cardinality);
  }
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
