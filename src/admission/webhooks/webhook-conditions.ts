import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import { forbiddenError } from "../../apimachinery/errors/status.js";
import type { RunWork } from "../../apimachinery/objects/run-work.js";
import {
  type ExpressionContext,
  PolicyCompiler,
} from "../../apis/admissionregistration/expressions/policy-compiler.js";
import type { MatchCondition } from "../../apis/gen/admissionregistration-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { ServedForm } from "../chain/object-forms.js";
import { AccessChecks } from "../policies/access-checks.js";
import { checkConditions, type NamedCondition } from "../policies/match-conditions.js";
import type { PolicyAuthorizer } from "../policies/policy-cluster.js";
import type { ConditionsOwner, PolicyObserver } from "../policies/policy-observer.js";
import { PolicyRun, stepsOfConditionsMax } from "../policies/policy-run.js";
import { PolicyVariables, seenObjects } from "../policies/policy-variables.js";

/** The inputs of match conditions. */
export interface ConditionParts extends ExpressionContext {
  readonly naming: Naming;
  readonly authorizer: PolicyAuthorizer;
  readonly policyObserver: PolicyObserver;
  /** See `PolicyRun`. */
  readonly runWork: RunWork;
}

/** The conditions of one webhook, compiled when a request first meets its rules. */
export class WebhookConditions {
  readonly #source: readonly MatchCondition[];
  readonly #ignoresFailures: boolean;
  #compiled: readonly NamedCondition[] | undefined;

  constructor(source: readonly MatchCondition[], ignoresFailures: boolean) {
    this.#source = source;
    this.#ignoresFailures = ignoresFailures;
  }

  /**
   * Whether the webhook is called. When no condition is false and one fails, a webhook whose failures are ignored is not called; for others
   * this rejects with 403.
   */
  async areMet(
    attributes: AdmissionAttributes,
    form: ServedForm,
    parts: ConditionParts,
    owner: ConditionsOwner,
  ): Promise<boolean> {
    const isStrict = parts.isEnabled("StrictCostEnforcementForWebhooks");
    const variables = new PolicyVariables(attributes, form, {
      objects: { ...(await seenObjects(attributes, form)), namespace: null },
      authorizer: new AccessChecks(parts.authorizer, attributes, isStrict),
      metaGroup: parts.naming.group("meta"),
    });
    const run = new PolicyRun({
      variables: new Map(),
      variable: (name) => variables.valueOf(name),
      params: null,
      runWork: parts.runWork,
      steps: stepsOfConditionsMax,
    });
    this.#compiled ??= compiled(this.#source, parts);
    const observer = parts.policyObserver;
    const outcome = await checkConditions(this.#compiled, run, { observer, owner });
    if (outcome.kind === "met") return true;
    if (outcome.kind === "failed" && !this.#ignoresFailures) {
      throw forbiddenError(attributes.resource, attributes.name, outcome.error);
    }
    observer.excluded(owner);
    return false;
  }
}

function compiled(source: readonly MatchCondition[], context: ExpressionContext): readonly NamedCondition[] {
  const compiler = new PolicyCompiler(context, { hasParams: false, purpose: "admission" });
  const options = { returns: [scalarTypes.bool], hasAuthorizer: true, isStored: true };
  return source.map(({ name, expression }) => {
    const { program, problem } = compiler.compile(expression.trim(), options);
    return { name, text: expression.trim(), program, problem };
  });
}
