import { printPointer, printUntyped } from "../../../apimachinery/errors/printed-structs.js";
import {
  type Notation,
  PrintedValue,
  quotedShortened,
  shownCharactersMax,
} from "../../../apimachinery/errors/printed-value.js";
import { sortedJsonText } from "../../../apimachinery/errors/shown-value.js";
import { printJson } from "../../../apimachinery/json/json-print.js";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ExternalDocumentation, JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { printRule } from "./printed-rule.js";
import { extensionsOf } from "./schema-extensions.js";

type SchemaMap = Readonly<Record<string, JSONSchemaProps>>;

/** A schema as Kubernetes prints bad ones: with all fields of its internal form. `prefix` starts the profile's extension fields. */
export function printSchema(schema: JSONSchemaProps, prefix: string): PrintedValue {
  return printed(prefix, (to) => to.schema(schema));
}

/** The schemas of `items` if it is a list. */
export function printItems(schemas: readonly JSONSchemaProps[], prefix: string): PrintedValue {
  return printed(prefix, (to) => to.items(schemas));
}

function printed(prefix: string, write: (to: SchemaPrinter) => void): PrintedValue {
  const print = (notation: Notation) => (): string => {
    const printer = new SchemaPrinter(prefix, notation);
    write(printer);
    return printer.text;
  };
  return new PrintedValue(print("go"), print("json"));
}

const type = (name: string): string => `apiextensions.${name}`;

/** Stops when the text is as long as errors show. */
class SchemaPrinter {
  readonly #prefix: string;
  readonly #isJson: boolean;
  text = "";

  constructor(prefix: string, notation: Notation) {
    this.#prefix = prefix;
    this.#isJson = notation === "json";
  }

  get #isFull(): boolean {
    return this.text.length > shownCharactersMax;
  }

  items(schemas: readonly JSONSchemaProps[]): void {
    this.#struct("JSONSchemaPropsOrArray", {
      Schema: () => this.#schemaPointer(undefined),
      JSONSchemas: () => this.#schemas(schemas),
    });
  }

  schema(schema: JSONSchemaProps): void {
    const extensions = extensionsOf(schema, this.#prefix);
    const scalar = (value: string | boolean) => () => this.#scalar(value);
    const pointer = (name: string, target: JsonValue | undefined) => () =>
      this.#pointer(name, target, (value) => this.#json(value));
    const strings = (list: readonly string[] | undefined) => () => this.#strings(list);
    const schemas = (list: readonly JSONSchemaProps[] | undefined) => () => this.#schemas(list);
    const map = (name: string, target: SchemaMap | undefined) => () =>
      this.#map(name, target, (one) => this.schema(one));
    this.#struct("JSONSchemaProps", {
      ID: scalar(schema.id ?? ""),
      Schema: scalar(schema.$schema ?? ""),
      Ref: pointer("string", schema.$ref),
      Description: scalar(schema.description ?? ""),
      Type: scalar(schema.type ?? ""),
      Nullable: scalar(schema.nullable ?? false),
      Format: scalar(schema.format ?? ""),
      Title: scalar(schema.title ?? ""),
      Default: pointer(type("JSON"), schema.default),
      Maximum: pointer("float64", schema.maximum),
      ExclusiveMaximum: scalar(schema.exclusiveMaximum ?? false),
      Minimum: pointer("float64", schema.minimum),
      ExclusiveMinimum: scalar(schema.exclusiveMinimum ?? false),
      MaxLength: pointer("int64", schema.maxLength),
      MinLength: pointer("int64", schema.minLength),
      Pattern: scalar(schema.pattern ?? ""),
      MaxItems: pointer("int64", schema.maxItems),
      MinItems: pointer("int64", schema.minItems),
      UniqueItems: scalar(schema.uniqueItems ?? false),
      MultipleOf: pointer("float64", schema.multipleOf),
      Enum: () => this.#sequence(`[]${type("JSON")}`, schema.enum, (value) => this.#value(value)),
      MaxProperties: pointer("int64", schema.maxProperties),
      MinProperties: pointer("int64", schema.minProperties),
      Required: strings(schema.required),
      Items: () => this.#itemsPointer(schema.items),
      AllOf: schemas(schema.allOf),
      OneOf: schemas(schema.oneOf),
      AnyOf: schemas(schema.anyOf),
      Not: () => this.#schemaPointer(schema.not),
      Properties: map(`map[string]${type("JSONSchemaProps")}`, schema.properties),
      AdditionalProperties: () => this.#schemaOrBool(schema.additionalProperties),
      PatternProperties: map(`map[string]${type("JSONSchemaProps")}`, schema.patternProperties),
      Dependencies: () => this.#dependencies(schema.dependencies),
      AdditionalItems: () => this.#schemaOrBool(schema.additionalItems),
      Definitions: map(type("JSONSchemaDefinitions"), schema.definitions),
      ExternalDocs: () => this.#externalDocs(schema.externalDocs),
      Example: pointer(type("JSON"), schema.example),
      XPreserveUnknownFields: pointer("bool", extensions.preserveUnknownFields),
      XEmbeddedResource: scalar(extensions.embeddedResource),
      XIntOrString: scalar(extensions.intOrString),
      XListMapKeys: strings(givenItems(extensions.listMapKeys)),
      XListType: pointer("string", extensions.listType),
      XMapType: pointer("string", extensions.mapType),
      XValidations: () =>
        this.#sequence(type("ValidationRules"), givenItems(extensions.validations), (rule) => {
          const printedRule = printRule(rule);
          this.text += (this.#isJson ? printedRule.json : undefined) ?? printedRule.text;
        }),
    });
  }

  #schemas(schemas: readonly JSONSchemaProps[] | undefined): void {
    this.#sequence(`[]${type("JSONSchemaProps")}`, schemas, (schema) => this.schema(schema));
  }

  #strings(strings: readonly string[] | undefined): void {
    this.#sequence("[]string", strings, (text) => this.#scalar(text));
  }

  #itemsPointer(items: JSONSchemaProps["items"]): void {
    this.#pointer(type("JSONSchemaPropsOrArray"), items, (given) => {
      if (Array.isArray(given)) {
        this.items(given);
        return;
      }
      this.#struct("JSONSchemaPropsOrArray", {
        Schema: () => this.#schemaPointer(given),
        JSONSchemas: () => this.#schemas(undefined),
      });
    });
  }

  #schemaOrBool(given: JSONSchemaProps["additionalProperties"]): void {
    this.#pointer(type("JSONSchemaPropsOrBool"), given, (value) => {
      this.#struct("JSONSchemaPropsOrBool", {
        Allows: () => this.#scalar(value !== false),
        Schema: () => this.#schemaPointer(typeof value === "object" ? value : undefined),
      });
    });
  }

  #externalDocs(documentation: ExternalDocumentation | undefined): void {
    this.#pointer(type("ExternalDocumentation"), documentation, ({ description = "", url = "" }) => {
      this.#struct("ExternalDocumentation", {
        Description: () => this.#scalar(description),
        URL: () => this.#scalar(url),
      });
    });
  }

  #dependencies(dependencies: JSONSchemaProps["dependencies"]): void {
    this.#map(type("JSONSchemaDependencies"), dependencies, (dependency) => {
      const names = Array.isArray(dependency) ? dependency : undefined;
      this.#struct("JSONSchemaPropsOrStringArray", {
        Schema: () => this.#schemaPointer(Array.isArray(dependency) ? undefined : (dependency ?? undefined)),
        Property: () => this.#strings(names),
      });
    });
  }

  #schemaPointer(schema: JSONSchemaProps | undefined): void {
    this.#pointer(type("JSONSchemaProps"), schema, (target) => this.schema(target));
  }

  #struct(name: string, fields: Readonly<Record<string, () => void>>): void {
    this.#members(this.#isJson ? "{" : `${type(name)}{`, Object.entries(fields), "}", ([field, write]) => {
      this.text += this.#isJson ? `"${field}":` : `${field}:`;
      write();
    });
  }

  #map<T>(name: string, map: Readonly<Record<string, T>> | undefined, write: (value: T) => void): void {
    if (map === undefined) this.#nil(name);
    else {
      const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
      this.#members(this.#isJson ? "{" : `${name}{`, entries, "}", ([key, value]) => {
        this.#scalar(key);
        this.text += ":";
        write(value);
      });
    }
  }

  #sequence<T>(name: string, items: readonly T[] | undefined, write: (item: T) => void): void {
    if (items === undefined) this.#nil(name);
    else this.#members(this.#isJson ? "[" : `${name}{`, items, this.#isJson ? "]" : "}", write);
  }

  #members<T>(open: string, members: readonly T[], close: string, write: (member: T) => void): void {
    this.text += open;
    for (const [index, member] of members.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.text += this.#isJson ? "," : ", ";
      write(member);
    }
    this.text += close;
  }

  #nil(name: string): void {
    this.text += this.#isJson ? "null" : `${name}(nil)`;
  }

  /** Go's notation shows the address of a value, JSON the value. */
  #pointer<T extends object | JsonValue>(
    name: string,
    target: T | undefined,
    write: (target: T) => void,
  ): void {
    if (!this.#isJson) this.text += printPointer(name, target).text;
    else if (target === undefined) this.text += "null";
    else write(target);
  }

  #scalar(value: string | boolean): void {
    if (typeof value === "boolean") this.text += String(value);
    else this.text += this.#isJson ? printJson(value.slice(0, shownCharactersMax)) : quotedShortened(value);
  }

  #json(value: JsonValue): void {
    this.text += sortedJsonText(value);
  }

  /** A value of an enumeration. */
  #value(value: JsonValue): void {
    if (this.#isJson) this.#json(value);
    else if (value === null) this.text += `${type("JSON")}(nil)`;
    else {
      const untyped = printUntyped(value);
      if (untyped instanceof PrintedValue) this.text += untyped.text;
      else this.text += typeof untyped === "string" ? quotedShortened(untyped) : String(untyped);
    }
  }
}

/** Extensions that are absent are empty lists. */
function givenItems<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
