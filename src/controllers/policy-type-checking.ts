import type { CelType } from "../apimachinery/cel/cel-type.js";
import type { GroupVersionKind } from "../apimachinery/objects/meta.js";
import { turnIfRoundIsOver } from "../apimachinery/turns/turns.js";
import { declaredType } from "../apis/admissionregistration/expressions/declared-types.js";
import {
  type ExpressionContext,
  PolicyCompiler,
} from "../apis/admissionregistration/expressions/policy-compiler.js";
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from "../apis/gen/admissionregistration-v1.js";
import { type Following, follow } from "../informers/follow.js";
import type { Controller, ControllerContext } from "./controller.js";
import { writeStatus } from "./status-write.js";
import { WorkQueue } from "./work-queue.js";

/** No more types than this are tried for a policy. */
const typesMax = 10;

interface TypedKind {
  readonly kind: GroupVersionKind;
  readonly type: CelType;
}

/**
 * Tells in the status of each validating policy which of its expressions do not fit the types that it is about. Types of custom resources
 * are not checked. Source: Kubernetes documentation, "Validating Admission Policy", "Type checking".
 */
export class PolicyTypeChecking implements Controller {
  readonly #context: ControllerContext;
  readonly #expressions: ExpressionContext;
  readonly #queue: WorkQueue<string>;
  #following: Following | undefined;

  constructor(context: ControllerContext, expressions: ExpressionContext) {
    this.#context = context;
    this.#expressions = expressions;
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("validatingadmissionpolicy-status"),
      work: (name) => this.#check(name),
      workers: 1,
      onFailure: (name, error) =>
        context.log.verbose(
          { level: 2, file: "controllers/policy-type-checking" },
          "the status of a policy could not be written",
          { name, reason: String(error) },
        ),
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
    const { validations = [] } = policy.spec;
    const kinds = this.#kindsOf(policy);
    const paramsType = this.#paramsType(policy);
    const warnings: ExpressionWarning[] = [];
    for (const [index, { expression, messageExpression = "" }] of validations.entries()) {
      for (const [field, text] of Object.entries({ expression, messageExpression })) {
        if (text === "") continue;
        const turn = turnIfRoundIsOver();
        if (turn !== undefined) await turn;
        const found = kinds.flatMap((kind) => this.#problem(policy, text, kind, paramsType));
        if (found.length === 0) continue;
        warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning: found.join("\n") });
      }
    }
    return warnings;
  }

  #problem(
    { spec }: ValidatingAdmissionPolicy,
    text: string,
    { kind, type }: TypedKind,
    paramsType: CelType | undefined,
  ): string[] {
    const compiler = new PolicyCompiler(this.#expressions, {
      hasParams: spec.paramKind !== undefined,
      purpose: "admission",
      objectType: type,
      paramsType,
    });
    for (const { name, expression } of spec.variables ?? []) compiler.addVariable(name, expression, true);
    const { problem } = compiler.compile(text, { returns: [], hasAuthorizer: true, isStored: true });
    if (problem === undefined) return [];
    const shown = problem.replace(/^compilation failed: /, "");
    return [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${shown}\n`];
  }

  /** The built-in kinds that the rules name one by one, in order of group, version and kind. */
  #kindsOf({ spec }: ValidatingAdmissionPolicy): readonly TypedKind[] {
    const rules = (spec.matchConstraints?.resourceRules ?? []).filter(isPlain);
    const found = new Map<string, TypedKind>();
    for (const { definition } of this.#context.registries()) {
      const { group, resource, kind } = definition;
      for (const { version, codec } of definition.versions) {
        const isNamed = rules.some(
          ({ apiGroups = [], apiVersions = [], resources = [] }) =>
            apiGroups.includes(group) && apiVersions.includes(version) && resources.includes(resource),
        );
        if (!isNamed || codec.schema === undefined) continue;
        const type = declaredType(codec.schema, kind);
        found.set(`${group}/${version}/${kind}`, { kind: { group, version, kind }, type });
      }
    }
    return [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, typesMax)
      .map(([, typed]) => typed);
  }

  #paramsType({ spec: { paramKind } }: ValidatingAdmissionPolicy): CelType | undefined {
    if (paramKind === undefined) return undefined;
    for (const { definition } of this.#context.registries()) {
      for (const { version, codec } of definition.versions) {
        const apiVersion = definition.group === "" ? version : `${definition.group}/${version}`;
        if (definition.kind !== paramKind.kind || apiVersion !== paramKind.apiVersion) continue;
        return codec.schema && declaredType(codec.schema, definition.kind);
      }
    }
    return undefined;
  }

  #registry() {
    return this.#context.builtin("validatingadmissionpolicies.admissionregistration");
  }
}

/** Rules with wildcards name too many types. */
function isPlain({ apiGroups = [], apiVersions = [] }: NamedRuleWithOperations): boolean {
  return ![...apiGroups, ...apiVersions].some((name) => name.includes("*"));
}
