import { isDns1123Label, isDns1123Subdomain } from "../validation/dns-names.js";
import type { CelBudget } from "./cel-error.js";
import { CelRuntimeError } from "./cel-error.js";
import { define } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelOpaque, type CelValue } from "./cel-value.js";

/** An authorization check that an expression makes. */
export interface CelAccessQuestion {
  /** The service account to check instead of the request's user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string } | undefined;
  /** The URL path of a non-resource check. */
  readonly path?: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface CelDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** Why the authorizer could not decide; empty if it could. */
  readonly error: string;
}

/** Makes the authorization checks of expressions. */
export interface CelAuthorizer {
  /** What one check costs, in steps of the budget. */
  readonly checkSteps: number;
  /** May throw `CelPending`. */
  check(question: CelAccessQuestion, verb: string): CelDecision;
}

/**
 * Thrown when an evaluation needs an authorizer's answer that is still pending. The caller awaits `answer` and evaluates again. `||` and
 * `&&` do not absorb it.
 */
export class CelPending extends Error {
  override readonly name = "CelPending";
  readonly answer: Promise<void>;

  constructor(answer: Promise<void>) {
    super("the authorizer has not answered yet");
    this.answer = answer;
  }
}

interface Check {
  readonly by: CelAuthorizer;
  readonly question: CelAccessQuestion;
}

const anything: CelAccessQuestion = { group: "", resource: "", subresource: "", namespace: "", name: "" };

/** The value of the variable `authorizer`. */
export function authorizerValue(by: CelAuthorizer): CelValue {
  return checkValue("authorizer", { by, question: anything });
}

/** The value of the variable `authorizer.requestResource`. */
export function resourceCheckValue(by: CelAuthorizer, question: CelAccessQuestion): CelValue {
  return checkValue("resourcecheck", { by, question });
}

function checkValue(
  kind: "authorizer" | "pathcheck" | "groupcheck" | "resourcecheck",
  check: Check,
): CelOpaque<Check> {
  return new CelOpaque(typeText(scalarTypes[kind]), check, "");
}

function narrowed(
  kind: "authorizer" | "pathcheck" | "groupcheck" | "resourcecheck",
  { value: { by, question } }: CelOpaque<Check>,
  changes: Partial<CelAccessQuestion>,
): CelValue {
  return checkValue(kind, { by, question: { ...question, ...changes } });
}

function decide({ value: { by, question } }: CelOpaque<Check>, verb: string, budget: CelBudget): CelValue {
  budget.spend(by.checkSteps);
  return new CelOpaque(typeText(scalarTypes.decision), by.check(question, verb), "");
}

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", authorizer library. */
export const accessFunctions = [
  define("authorizer.path(string): pathcheck", ([authorizer, path]) => {
    if (path.trim() === "") throw new CelRuntimeError("path must not be empty");
    return narrowed("pathcheck", authorizer, { path });
  }),
  define("authorizer.group(string): groupcheck", ([authorizer, group]) =>
    narrowed("groupcheck", authorizer, { group }),
  ),
  define("authorizer.serviceAccount(string, string): authorizer", ([authorizer, namespace, name]) => {
    if (isDns1123Subdomain(name).length > 0) throw new CelRuntimeError("Invalid service account name");
    if (isDns1123Label(namespace).length > 0) {
      throw new CelRuntimeError("Invalid service account namespace");
    }
    return narrowed("authorizer", authorizer, { serviceAccount: { namespace, name } });
  }),
  define("groupcheck.resource(string): resourcecheck", ([check, resource]) => {
    if (resource.trim() === "") throw new CelRuntimeError("resource must not be empty");
    return narrowed("resourcecheck", check, { resource });
  }),
  define("resourcecheck.subresource(string): resourcecheck", ([check, subresource]) =>
    narrowed("resourcecheck", check, { subresource }),
  ),
  define("resourcecheck.namespace(string): resourcecheck", ([check, namespace]) =>
    narrowed("resourcecheck", check, { namespace }),
  ),
  define("resourcecheck.name(string): resourcecheck", ([check, name]) =>
    narrowed("resourcecheck", check, { name }),
  ),
  define("pathcheck.check(string): decision", ([check, verb], budget) => decide(check, verb, budget)),
  define("resourcecheck.check(string): decision", ([check, verb], budget) => decide(check, verb, budget)),
  define("decision.allowed(): bool", ([{ value }]) => value.isAllowed),
  define("decision.reason(): string", ([{ value }]) => value.reason),
  define("decision.errored(): bool", ([{ value }]) => value.error !== ""),
  define("decision.error(): string", ([{ value }]) => value.error),
];

export const selectorFunctions = [
  define("resourcecheck.fieldSelector(string): resourcecheck", ([check, fieldSelector]) =>
    narrowed("resourcecheck", check, { fieldSelector }),
  ),
  define("resourcecheck.labelSelector(string): resourcecheck", ([check, labelSelector]) =>
    narrowed("resourcecheck", check, { labelSelector }),
  ),
];
