import { type ApiLevel, isAtLeast } from "../levels/api-level.js";
import { messageAtLevel } from "./at-level.js";
import type { MessageCodec } from "./codec.js";
import { type CodecParts, CompiledCodec, CompiledMessage } from "./compiled-codec.js";
import type { MessageDeclaration, TypePackage } from "./declaration.js";
import { CodecRuntime } from "./generated-scope.js";
import { LinkedMessage, type LinkScope } from "./link.js";
import { MergeTypes } from "./merge-type.js";
import type { MessageSchema } from "./message-schema.js";
import { RecursionFinder } from "./recursion.js";

export interface SchemaRegistryOptions {
  /** The name of a field declared as `profileNamed`, in the active profile. Default: the neutral name. */
  readonly fieldName?: ((neutralName: string) => string) | undefined;
  /** Default: the types have the fields of all levels, with the attributes of the newest. */
  readonly level?: ApiLevel | undefined;
}

const jsonSchemaPropsName = "apiextensions/v1.JSONSchemaProps";

/**
 * The types of some packages. Declarations are made, linked and compiled on first use, so a registry of everything costs nothing until
 * then.
 */
export class SchemaRegistry {
  readonly #packages: ReadonlyMap<string, TypePackage>;
  readonly #declared = new Map<string, { readonly [typeName: string]: MessageDeclaration }>();
  readonly #linked = new Map<string, LinkedMessage>();
  readonly #compiled = new Map<MessageSchema, CompiledMessage>();
  readonly #codecs = new Map<string, CompiledCodec>();
  readonly #mergeTypes: MergeTypes;
  readonly #parts: CodecParts;
  readonly #recursion = new RecursionFinder(() => this.message(jsonSchemaPropsName));
  readonly #scope: LinkScope;
  readonly #level: ApiLevel | undefined;

  constructor(packages: readonly TypePackage[], options: SchemaRegistryOptions = {}) {
    this.#level = options.level;
    const isSince = (level: ApiLevel): boolean =>
      options.level === undefined || isAtLeast(options.level, level);
    this.#mergeTypes = new MergeTypes({ mayOmitKeys: isSince("1.34") });
    this.#parts = {
      runtime: new CodecRuntime(),
      namesEmbedded: isSince("1.35"),
      jsonSchemaProps: () => this.message(jsonSchemaPropsName),
      mergeTypeOf: (message) => this.#mergeTypes.of(message),
    };
    this.#packages = new Map(packages.map((typePackage) => [typePackage.name, typePackage]));
    this.#scope = {
      message: (name) => this.message(name),
      fieldName: options.fieldName ?? ((neutralName) => neutralName),
    };
  }

  /** Names of the packages, in the order given: `core/v1`. */
  get packageNames(): readonly string[] {
    return [...this.#packages.keys()];
  }

  /** Full names of a package's types, in the order declared. Throws for an unknown package. */
  messageNames(packageName: string): string[] {
    return Object.keys(this.#declarations(packageName)).map((typeName) => `${packageName}.${typeName}`);
  }

  has(name: string): boolean {
    const { packageName, typeName } = splitName(name);
    return this.#packages.has(packageName) && Object.hasOwn(this.#declarations(packageName), typeName);
  }

  /** `core/v1.Pod`. Throws when there is no such type. */
  message(name: string): MessageSchema {
    const known = this.#linked.get(name);
    if (known !== undefined) return known;
    const { packageName, typeName } = splitName(name);
    const declarations = this.#declarations(packageName);
    const declaration = Object.hasOwn(declarations, typeName) ? declarations[typeName] : undefined;
    if (declaration === undefined) throw new Error(`no type is named ${name}`);
    const ofLevel = this.#level === undefined ? declaration : messageAtLevel(declaration, this.#level);
    const linked = new LinkedMessage(name, ofLevel, this.#scope);
    this.#linked.set(name, linked);
    return linked;
  }

  /**
   * The codec of a message type; the same one each time. The caller chooses `T`: the interface in `apis/gen` generated for that name.
   */
  codec<T extends object>(name: string): MessageCodec<T> {
    let codec = this.#codecs.get(name);
    if (codec === undefined) {
      codec = new CompiledCodec(this.#compile(this.message(name)), this.#parts);
      this.#codecs.set(name, codec);
    }
    // Safe because decoding makes objects of the declared form, from which `T` is generated.
    return codec as unknown as MessageCodec<T>;
  }

  #compile(schema: MessageSchema): CompiledMessage {
    let compiled = this.#compiled.get(schema);
    if (compiled === undefined) {
      compiled = new CompiledMessage(schema, {
        ...this.#parts,
        compiled: (other) => this.#compile(other),
        isRecursive: (other) => this.#recursion.isRecursive(other),
      });
      this.#compiled.set(schema, compiled);
    }
    return compiled;
  }

  #declarations(packageName: string): { readonly [typeName: string]: MessageDeclaration } {
    let declarations = this.#declared.get(packageName);
    if (declarations === undefined) {
      const typePackage = this.#packages.get(packageName);
      if (typePackage === undefined) throw new Error(`no package is named ${packageName}`);
      declarations = typePackage.declare();
      this.#declared.set(packageName, declarations);
    }
    return declarations;
  }
}

export function splitName(name: string): { packageName: string; typeName: string } {
  const dot = name.lastIndexOf(".");
  return { packageName: name.slice(0, dot), typeName: name.slice(dot + 1) };
}
