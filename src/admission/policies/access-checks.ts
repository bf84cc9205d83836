import {
  type CelAccessQuestion,
  type CelAuthorizer,
  type CelDecision,
  CelPending,
} from "../../apimachinery/cel/cel-access-functions.js";
import type { Decision } from "../../apimachinery/requests/authorizer.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { PolicyAuthorizer } from "./policy-cluster.js";
import { stepsOfExpressionMax } from "./policy-run.js";

const strictCheckSteps = stepsOfExpressionMax * 0.35;

/** Performs the authorization checks of expressions about one request, and caches the answers. */
export class AccessChecks implements CelAuthorizer {
  readonly checkSteps: number;
  readonly #authorizer: PolicyAuthorizer;
  readonly #attributes: AdmissionAttributes;
  readonly #answers = new Map<string, CelDecision>();

  /** `isStrict`: an expression may ask at most two questions. */
  constructor(authorizer: PolicyAuthorizer, attributes: AdmissionAttributes, isStrict: boolean) {
    this.checkSteps = isStrict ? strictCheckSteps : 1;
    this.#authorizer = authorizer;
    this.#attributes = attributes;
  }

  check(question: CelAccessQuestion, verb: string): CelDecision {
    const key = JSON.stringify([verb, question]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const { user, signal } = this.#attributes;
    const decision = this.#authorizer.decide(
      { ...question, verb, user: question.serviceAccount ?? user },
      signal,
    );
    if (decision instanceof Promise) {
      throw new CelPending(decision.then((decided) => void this.#answers.set(key, answerOf(decided))));
    }
    const answer = answerOf(decision);
    this.#answers.set(key, answer);
    return answer;
  }
}

function answerOf({ kind, reason, error }: Decision): CelDecision {
  return { isAllowed: kind === "allow", reason, error: error?.message ?? "" };
}
