import { printPointer, printUntyped } from "../../../apimachinery/errors/printed-structs.js";
import {
  PrintedValue,
  quotedShortened,
  shownCharactersMax,
} from "../../../apimachinery/errors/printed-value.js";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { printRule } from "./printed-rule.js";
import { extensionsOf } from "./schema-extensions.js";

type SchemaMap = Readonly<Record<string, JSONSchemaProps>>;

/** A schema in Go's notation, as Kubernetes prints bad ones. `prefix` starts the profile's extension fields. */
export function printSchema(schema: JSONSchemaProps, prefix: string): PrintedValue {
  return new PrintedValue(() => new SchemaPrinter(prefix).print((to) => to.schema(schema)));
}

/** The schemas of `items` if it is a list. */
export function printItems(schemas: readonly JSONSchemaProps[], prefix: string): PrintedValue {
  return new PrintedValue(() => new SchemaPrinter(prefix).print((to) => to.items(schemas)));
}

const type = (name: string): string => `apiextensions.${name}`;

/** Stops when the text is as long as errors show. */
class SchemaPrinter {
  readonly #prefix: string;
  #text = "";

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  print(write: (printer: SchemaPrinter) => void): string {
    write(this);
    return this.#text;
  }

  get #isFull(): boolean {
    return this.#text.length > shownCharactersMax;
  }

  items(schemas: readonly JSONSchemaProps[]): void {
    this.#text += `${type("JSONSchemaPropsOrArray")}{Schema:${pointer("JSONSchemaProps", undefined)}, JSONSchemas:`;
    this.#list(schemas);
    this.#text += "}";
  }

  schema(schema: JSONSchemaProps): void {
    if (this.#isFull) return;
    const {
      preserveUnknownFields,
      embeddedResource,
      intOrString,
      listMapKeys,
      listType,
      mapType,
      validations,
    } = extensionsOf(schema, this.#prefix);
    const text = (value: string | undefined): string => quotedShortened(value ?? "");
    this.#text +=
      `${type("JSONSchemaProps")}{ID:${text(schema.id)}, Schema:${text(schema.$schema)}, Ref:${scalar("string", schema.$ref)}, ` +
      `Description:${text(schema.description)}, Type:${text(schema.type)}, Nullable:${schema.nullable ?? false}, ` +
      `Format:${text(schema.format)}, Title:${text(schema.title)}, Default:${pointer("JSON", schema.default)}, ` +
      `Maximum:${scalar("float64", schema.maximum)}, ExclusiveMaximum:${schema.exclusiveMaximum ?? false}, ` +
      `Minimum:${scalar("float64", schema.minimum)}, ExclusiveMinimum:${schema.exclusiveMinimum ?? false}, ` +
      `MaxLength:${scalar("int64", schema.maxLength)}, MinLength:${scalar("int64", schema.minLength)}, Pattern:${text(schema.pattern)}, ` +
      `MaxItems:${scalar("int64", schema.maxItems)}, MinItems:${scalar("int64", schema.minItems)}, ` +
      `UniqueItems:${schema.uniqueItems ?? false}, MultipleOf:${scalar("float64", schema.multipleOf)}, Enum:`;
    this.#values(schema.enum);
    this.#text += `, MaxProperties:${scalar("int64", schema.maxProperties)}, MinProperties:${scalar("int64", schema.minProperties)}, Required:`;
    this.#strings(schema.required ?? []);
    this.#text += `, Items:${pointer("JSONSchemaPropsOrArray", schema.items)}, AllOf:`;
    this.#list(schema.allOf);
    this.#text += ", OneOf:";
    this.#list(schema.oneOf);
    this.#text += ", AnyOf:";
    this.#list(schema.anyOf);
    this.#text += `, Not:${pointer("JSONSchemaProps", schema.not)}, Properties:`;
    this.#map(`map[string]${type("JSONSchemaProps")}`, schema.properties);
    this.#text += `, AdditionalProperties:${pointer("JSONSchemaPropsOrBool", schema.additionalProperties)}, PatternProperties:`;
    this.#map(`map[string]${type("JSONSchemaProps")}`, schema.patternProperties);
    this.#text += ", Dependencies:";
    this.#dependencies(schema.dependencies);
    this.#text += `, AdditionalItems:${pointer("JSONSchemaPropsOrBool", schema.additionalItems)}, Definitions:`;
    this.#map(type("JSONSchemaDefinitions"), schema.definitions);
    this.#text +=
      `, ExternalDocs:${pointer("ExternalDocumentation", schema.externalDocs)}, Example:${pointer("JSON", schema.example)}, ` +
      `XPreserveUnknownFields:${scalar("bool", preserveUnknownFields)}, XEmbeddedResource:${embeddedResource}, ` +
      `XIntOrString:${intOrString}, XListMapKeys:`;
    this.#strings(listMapKeys);
    this.#text += `, XListType:${scalar("string", listType)}, XMapType:${scalar("string", mapType)}, XValidations:`;
    this.#sequence(type("ValidationRules"), validations, (rule) => {
      this.#text += printRule(rule).text;
    });
    this.#text += "}";
  }

  #list(schemas: readonly JSONSchemaProps[] | undefined): void {
    this.#sequence(`[]${type("JSONSchemaProps")}`, schemas, (schema) => this.schema(schema));
  }

  #strings(strings: readonly string[]): void {
    this.#sequence("[]string", strings, (text) => {
      this.#text += quotedShortened(text);
    });
  }

  #values(values: readonly JsonValue[] | undefined): void {
    this.#sequence(`[]${type("JSON")}`, values, (value) => {
      if (value === null) this.#text += `${type("JSON")}(nil)`;
      else {
        const printed = printUntyped(value);
        if (printed instanceof PrintedValue) this.#text += printed.text;
        else this.#text += typeof printed === "string" ? quotedShortened(printed) : String(printed);
      }
    });
  }

  #map(name: string, schemas: SchemaMap | undefined): void {
    this.#sequence(name, sortedEntries(schemas), ([key, schema]) => {
      this.#text += `${quotedShortened(key)}:`;
      this.schema(schema);
    });
  }

  #dependencies(dependencies: JSONSchemaProps["dependencies"]): void {
    this.#sequence(type("JSONSchemaDependencies"), sortedEntries(dependencies), ([key, dependency]) => {
      const names = Array.isArray(dependency) ? dependency : [];
      const schema = pointer("JSONSchemaProps", Array.isArray(dependency) ? undefined : dependency);
      this.#text += `${quotedShortened(key)}:${type("JSONSchemaPropsOrStringArray")}{Schema:${schema}, Property:`;
      this.#strings(names);
      this.#text += "}";
    });
  }

  #sequence<T>(name: string, items: readonly T[] | undefined, write: (item: T) => void): void {
    this.#text += name;
    if (items === undefined || items.length === 0) {
      this.#text += "(nil)";
      return;
    }
    this.#text += "{";
    for (const [index, item] of items.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.#text += ", ";
      write(item);
    }
    this.#text += "}";
  }
}

function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] | undefined {
  return map && Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

function pointer(name: string, target: object | JsonValue | undefined): string {
  return printPointer(type(name), target).text;
}

function scalar(name: string, target: object | JsonValue | undefined): string {
  return printPointer(name, target).text;
}
