import type { CelType } from "../apimachinery/cel/cel-type.js";
import { isAtLeast } from "../apimachinery/levels/api-level.js";
import { apiVersionOf, type GroupVersionKind } from "../apimachinery/objects/meta.js";
import type { MessageSchema } from "../apimachinery/schema/message-schema.js";
import { customType, declaredType } from "../apis/admissionregistration/expressions/declared-types.js";
import {
  type ExpressionContext,
  PolicyCompiler,
} from "../apis/admissionregistration/expressions/policy-compiler.js";
import type { VersionDefinition } from "../apis/definition/resource-definition.js";
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from "../apis/gen/admissionregistration-v1.js";
import { inTurns, turnIfRoundIsOver } from "../event-loop/turns.js";
import { type Following, follow } from "../informers/follow.js";
import type { Controller, ControllerContext } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { writeStatus } from "./status-write.js";
import type { WorkQueue } from "./work-queue.js";

/** How many types are checked for a policy. */
const typesMax = 10;

interface NamedKind {
  readonly kind: GroupVersionKind;
  readonly version: VersionDefinition;
}

interface TypedCompiler {
  readonly kind: GroupVersionKind;
  readonly compiler: PolicyCompiler;
}

/**
 * Reports in the status of each validating policy which of its expressions do not fit the types that it names, custom resources from 1.29.
 * Source: Kubernetes documentation, "Validating Admission Policy", "Type checking".
 */
export class PolicyTypeChecking implements Controller {
  readonly #context: ControllerContext;
  readonly #expressions: ExpressionContext;
  readonly #queue: WorkQueue<string>;
  #following: Following | undefined;

  constructor(context: ControllerContext, expressions: ExpressionContext) {
    this.#context = context;
    this.#expressions = expressions;
    this.#queue = controllerQueue(context, {
      name: "validatingadmissionpolicy-status",
      work: (name) => this.#check(name),
      workers: 1,
      file: "controllers/policy-type-checking",
      failure: "the status of a policy could not be written",
      about: (name) => ({ name }),
    });
  }

  async start(): Promise<void> {
    this.#following = await follow(this.#registry(), {
      change: (type, stored) => {
        if (type !== "DELETED") this.#queue.add(stored.key);
      },
    });
  }

  async stop(): Promise<void> {
    this.#following?.stop();
    await this.#queue.close();
  }

  async #check(name: string): Promise<void> {
    const policy = (await this.#registry().find("", name, { kind: "any" }))?.decode();
    if (policy === undefined || policy.metadata.generation === policy.status?.observedGeneration) return;
    const { uid, generation } = policy.metadata;
    const expressionWarnings = await this.#warnings(policy);
    await writeStatus(this.#context, this.#registry(), {
      namespace: "",
      name,
      uid,
      as: "system:serviceaccount:validatingadmissionpolicy-status-controller",
      change(object) {
        object.status = {
          ...object.status,
          ...(generation !== undefined && { observedGeneration: generation }),
          typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
        };
      },
    });
  }

  async #warnings(policy: ValidatingAdmissionPolicy): Promise<ExpressionWarning[]> {
    const compilers = await this.#compilersOf(policy);
    const warnings: ExpressionWarning[] = [];
    for (const [index, { expression, messageExpression = "" }] of (policy.spec.validations ?? []).entries()) {
      for (const [field, text] of Object.entries({ expression, messageExpression })) {
        const problems = text === "" ? [] : await problemsOf(text, compilers);
        if (problems.length === 0) continue;
        warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning: problems.join("\n") });
      }
    }
    return warnings;
  }

  /** One compiler per kind, shared by all expressions, because it knows the policy's variables. */
  async #compilersOf(policy: ValidatingAdmissionPolicy): Promise<readonly TypedCompiler[]> {
    const { paramKind, variables = [] } = policy.spec;
    const paramsType = await this.#paramsType(policy);
    const compilers: TypedCompiler[] = [];
    for (const { kind, version } of await this.#kindsOf(policy)) {
      const objectType = await this.#typeOf(version, kind.kind);
      if (objectType === undefined) continue;
      const compiler = new PolicyCompiler(this.#expressions, {
        hasParams: paramKind !== undefined,
        purpose: "admission",
        objectType,
        paramsType,
      });
      for (const { name, expression } of variables) {
        await turnIfRoundIsOver();
        compiler.addVariable(name, expression, true);
      }
      compilers.push({ kind, compiler });
    }
    return compilers;
  }

  /** Undefined when nothing is known about it. */
  async #typeOf({ codec, preparation, structuralSchema }: VersionDefinition, kind: string) {
    if (codec.schema !== undefined) return declaredType(codec.schema, kind);
    if (!isAtLeast(this.#expressions.level, "1.29")) return undefined;
    await inTurns(preparation?.() ?? []);
    const schema = structuralSchema?.();
    return schema && customType(schema, kind, this.#metadata());
  }

  /** The type of all objects' metadata. */
  #metadata(): MessageSchema {
    const [version] = this.#registry().definition.versions;
    const element = version?.codec.schema?.jsonFields.get("metadata")?.element;
    if (element?.kind !== "message") throw new Error("policies have metadata");
    return element.message;
  }

  /** The kinds that the rules name explicitly, in order of group, version and kind. */
  async #kindsOf({ spec }: ValidatingAdmissionPolicy): Promise<readonly NamedKind[]> {
    const rules = (spec.matchConstraints?.resourceRules ?? []).filter(isPlain);
    const found = new Map<string, NamedKind>();
    for (const { definition } of [...this.#context.registries()]) {
      const { group, resource, kind } = definition;
      for (const version of definition.versions) {
        // A policy may have thousands of rules.
        await turnIfRoundIsOver();
        const isNamed = rules.some(
          ({ apiGroups = [], apiVersions = [], resources = [] }) =>
            apiGroups.includes(group) &&
            apiVersions.includes(version.version) &&
            resources.includes(resource),
        );
        if (!isNamed) continue;
        const named = { group, version: version.version, kind };
        found.set(`${group}/${version.version}/${kind}`, { kind: named, version });
      }
    }
    return [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, typesMax)
      .map(([, declared]) => declared);
  }

  async #paramsType({ spec: { paramKind } }: ValidatingAdmissionPolicy): Promise<CelType | undefined> {
    if (paramKind === undefined) return undefined;
    for (const { definition } of this.#context.registries()) {
      for (const version of definition.versions) {
        const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
        if (definition.kind !== paramKind.kind || apiVersion !== paramKind.apiVersion) continue;
        return await this.#typeOf(version, definition.kind);
      }
    }
    return undefined;
  }

  #registry() {
    return this.#context.builtin("validatingadmissionpolicies.admissionregistration");
  }
}

/** What is wrong with an expression for objects of each kind. */
async function problemsOf(text: string, compilers: readonly TypedCompiler[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { kind, compiler } of compilers) {
    await turnIfRoundIsOver();
    const { problem } = compiler.compile(text, { returns: [], hasAuthorizer: true, isStored: true });
    if (problem === undefined) continue;
    const shown = problem.replace(/^compilation failed: /, "");
    problems.push(`${kind.group}/${kind.version}, Kind=${kind.kind}: ${shown}\n`);
  }
  return problems;
}

/** Rules with wildcards name too many types. */
function isPlain({ apiGroups = [], apiVersions = [] }: NamedRuleWithOperations): boolean {
  return ![...apiGroups, ...apiVersions].some((name) => name.includes("*"));
}
