import { type CelEnvironment, celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { CelCompileError } from "../../../apimachinery/cel/cel-error.js";
import type { CelProgram } from "../../../apimachinery/cel/cel-program.js";
import { type CelType, type ObjectField, scalarTypes, typeText } from "../../../apimachinery/cel/cel-type.js";
import { compileCel } from "../../../apimachinery/cel/compile-cel.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import { namespaceType, requestType, variablesTypeName } from "./admission-types.js";

/** The level and gates that decide what expressions may use. */
export interface ExpressionContext {
  readonly level: ApiLevel;
  readonly oldestLevel?: ApiLevel | undefined;
  isEnabled(gate: FeatureGateName): boolean;
}

export interface CompilerOptions {
  readonly hasParams: boolean;
  readonly purpose: "admission" | "mutation";
  /** Types of the objects and params, where they are known; default: any. */
  readonly objectType?: CelType | undefined;
  readonly paramsType?: CelType | undefined;
}

export interface ExpressionOptions {
  /** What the expression may evaluate to; empty: anything. */
  readonly returns: readonly CelType[];
  readonly hasAuthorizer: boolean;
  /** Whether the expression is stored already: see `EnvironmentChoice`. */
  readonly isStored: boolean;
}

export type Compiled =
  | { readonly program: CelProgram; readonly problem?: undefined }
  /** Why the expression cannot be used. */
  | {
      readonly program?: undefined;
      readonly problem: string;
      /** Whether to report it as an internal error: since 1.28, for an expression that compiles but fails on every evaluation. */
      readonly isInternal?: boolean;
    };

/** Compiles the expressions of one policy, or the match conditions of webhooks. An expression sees the variables added before it. */
export class PolicyCompiler {
  readonly #context: ExpressionContext;
  readonly #options: CompilerOptions;
  readonly #variables = new Map<string, ObjectField>();
  readonly #variablesType: CelType = { kind: "object", name: variablesTypeName, fields: this.#variables };
  #hasVariables = false;

  constructor(context: ExpressionContext, options: CompilerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** From now on expressions may read `variables`, even before the first is added. */
  withVariables(): this {
    this.#hasVariables = true;
    return this;
  }

  compile(text: string, { returns, hasAuthorizer, isStored }: ExpressionOptions): Compiled {
    let program: CelProgram;
    try {
      program = compileCel(text, this.#scope(hasAuthorizer), this.#environment(isStored));
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      return { problem: `compilation failed: ${error.message}` };
    }
    const made = typeText(program.type);
    const wanted = returns.map((type) => typeText(type));
    if (wanted.length === 0 || wanted.includes(made)) {
      if (program.problem === undefined) return { program };
      return {
        problem: `program instantiation failed: ${program.problem}`,
        isInternal: isAtLeast(this.#context.level, "1.28"),
      };
    }
    const expected = wanted.length === 1 ? `${wanted[0]}` : `one of [${wanted.join(" ")}]`;
    return {
      problem: `must evaluate to ${expected}${isAtLeast(this.#context.level, "1.32") ? ` but got ${made}` : ""}`,
    };
  }

  /** Adds a variable. Later expressions may use it as `variables.name` even if it does not compile. */
  addVariable(name: string, text: string, isStored: boolean): Compiled {
    this.#hasVariables = true;
    const compiled = this.compile(text, { returns: [], hasAuthorizer: true, isStored });
    this.#variables.set(name, { name, type: compiled.program?.type ?? scalarTypes.dyn });
    return compiled;
  }

  #environment(isStored: boolean): CelEnvironment {
    return celEnvironment({
      level: this.#context.level,
      oldestLevel: this.#context.oldestLevel,
      isStored,
      purpose: this.#options.purpose,
      hasSelectors: this.#context.isEnabled("AuthorizeWithSelectors"),
    });
  }

  #scope(hasAuthorizer: boolean): Readonly<Record<string, CelType>> {
    const { hasParams, objectType = scalarTypes.dyn, paramsType = scalarTypes.dyn } = this.#options;
    const { level } = this.#context;
    return {
      object: objectType,
      oldObject: objectType,
      ...(isAtLeast(level, "1.28") && { namespaceObject: namespaceType }),
      request: requestType,
      ...(hasParams && { params: paramsType }),
      ...(hasAuthorizer &&
        isAtLeast(level, "1.27") && {
          authorizer: scalarTypes.authorizer,
          "authorizer.requestResource": scalarTypes.resourcecheck,
        }),
      ...(this.#hasVariables && { variables: this.#variablesType }),
    };
  }
}
