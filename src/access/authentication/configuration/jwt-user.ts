import type { CelBudget } from "../../../apimachinery/cel/cel-error.js";
import { CelList, type CelValue } from "../../../apimachinery/cel/cel-value.js";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import { expressionBudget } from "../../configured-expression.js";
import {
  checkRequiredClaims,
  credentialId,
  groupsFromClaim,
  usernameFromClaim,
} from "../oidc/user-claims.js";
import type { JwtAuthenticator } from "./authentication-configuration.js";
import { claimsValue, compileExpression, type Expression, userValue } from "./claims-expression.js";

interface Rule {
  readonly expression: string;
  readonly message: string;
  readonly run: Expression;
}

/**
 * Creates users from the claims of verified tokens, by one valid authenticator of the file. The function throws an `Error` in Kubernetes'
 * words.
 */
export function createJwtUser(
  { claimMappings = {}, claimValidationRules = [], userValidationRules = [] }: JwtAuthenticator,
  { level, credentialIdKey }: { readonly level: ApiLevel; readonly credentialIdKey: string | undefined },
): (claims: JsonObject) => UserInfo {
  const compiled = (text: string | undefined, variable: "claims" | "user"): Expression | undefined =>
    text === undefined || text === "" ? undefined : runOf(text, variable, level);
  const { username = {}, groups = {}, uid = {}, extra = [] } = claimMappings;
  const usernameOf = compiled(username.expression, "claims");
  const groupsOf = compiled(groups.expression, "claims");
  const uidOf = compiled(uid.expression, "claims");
  const extraOf = extra.map(({ key = "", valueExpression = "" }) => ({
    key,
    run: runOf(valueExpression, "claims", level),
  }));
  const requiredClaims = new Map(
    claimValidationRules.flatMap(({ claim = "", requiredValue = "" }) =>
      claim === "" ? [] : [[claim, requiredValue] as const],
    ),
  );
  const claimRules = claimValidationRules.flatMap((rule) => ruleOf(rule, "claims", level));
  const userRules = userValidationRules.flatMap((rule) => ruleOf(rule, "user", level));

  return (claims) => {
    const value = claimsValue(claims);
    const budget = expressionBudget();
    const name =
      usernameOf === undefined
        ? (username.prefix ?? "") + usernameFromClaim(claims, username.claim ?? "")
        : textOf("username", () => usernameOf(value, budget));
    const user: UserInfo = {
      name,
      groups:
        groupsOf === undefined
          ? groupsFromClaim(claims, groups.claim).map((group) => (groups.prefix ?? "") + group)
          : listOfTexts("group", () => groupsOf(value, budget)),
      uid: uidOf === undefined ? uidFromClaim(claims, uid.claim) : textOf("uid", () => uidOf(value, budget)),
      extra: {
        ...credentialId(claims, credentialIdKey),
        ...Object.fromEntries(
          extraOf.flatMap(({ key, run }) => {
            const values = listOfTexts("extra", () => run(value, budget));
            return values.length === 0 ? [] : [[key, values]];
          }),
        ),
      },
    };
    checkRequiredClaims(claims, requiredClaims);
    check(claimRules, value, budget, "claim validation expression");
    if (userRules.length > 0) check(userRules, userValue(user), budget, "user info validation rule");
    return user;
  };
}

function runOf(text: string, variable: "claims" | "user", level: ApiLevel): Expression {
  const { run, problem } = compileExpression(text, { variable, isCondition: false, level });
  if (run === undefined) throw new Error(problem);
  return run;
}

function ruleOf(
  {
    expression = "",
    message = "",
  }: { readonly expression?: string | undefined; readonly message?: string | undefined },
  variable: "claims" | "user",
  level: ApiLevel,
): Rule[] {
  return expression === "" ? [] : [{ expression, message, run: runOf(expression, variable, level) }];
}

function check(rules: readonly Rule[], value: CelValue, budget: CelBudget, what: string): void {
  for (const { expression, message, run } of rules) {
    const verdict = attempt(what, () => run(value, budget));
    if (typeof verdict !== "boolean") {
      throw new Error(`oidc: error evaluating ${what}: validation expression must return a boolean`);
    }
    if (!verdict) {
      throw new Error(
        `oidc: error evaluating ${what}: validation expression '${expression}' failed: ${message}`,
      );
    }
  }
}

function attempt(what: string, evaluate: () => CelValue): CelValue {
  try {
    return evaluate();
  } catch (error) {
    throw new Error(`oidc: error evaluating ${what}: ${messageOf(error)}`, { cause: error });
  }
}

function textOf(what: string, evaluate: () => CelValue): string {
  const value = attempt(`${what} claim expression`, evaluate);
  if (typeof value === "string") return value;
  throw new Error(
    `oidc: error evaluating ${what} claim expression: ${what} claim expression must return a string`,
  );
}

/** Empty texts are left out. */
function listOfTexts(what: string, evaluate: () => CelValue): readonly string[] {
  const value = attempt(`${what} claim expression`, evaluate);
  if (value === null) return [];
  const values = value instanceof CelList ? [...value.values()] : [value];
  return values.flatMap((each) => {
    if (typeof each !== "string") {
      throw new Error(
        `oidc: error evaluating ${what} claim expression: expression must return a string or a list of strings`,
      );
    }
    return each === "" ? [] : [each];
  });
}

function uidFromClaim(claims: JsonObject, claim: string | undefined): string {
  if (claim === undefined || claim === "") return "";
  const uid = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (uid === undefined) throw new Error(`oidc: parse uid claim ${JSON.stringify(claim)}: claim not present`);
  if (typeof uid !== "string")
    throw new Error(`oidc: parse uid claim ${JSON.stringify(claim)}: not a string`);
  return uid;
}
