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

const groupPrefix = "oidc: error evaluating group claim expression: ";

interface Evaluation {
  readonly text: string;
  readonly run: Expression;
}

interface Rule extends Evaluation {
  readonly message: string;
}

/**
 * Creates users from the claims of verified tokens, by one valid authenticator of the file. The function throws an `Error` in Kubernetes'
 * words.
 */
export function createJwtUser(
  { claimMappings = {}, claimValidationRules = [], userValidationRules = [] }: JwtAuthenticator,
  { level, credentialIdKey }: { readonly level: ApiLevel; readonly credentialIdKey: string | undefined },
): (claims: JsonObject) => UserInfo {
  const compiled = (text: string | undefined): Evaluation | undefined =>
    text === undefined || text === "" ? undefined : { text, run: runOf(text, "claims", level) };
  const { username = {}, groups = {}, uid = {}, extra = [] } = claimMappings;
  const usernameOf = compiled(username.expression);
  const groupsOf = compiled(groups.expression);
  const uidOf = compiled(uid.expression);
  const extraOf = extra.map(({ key = "", valueExpression: text = "" }) => ({
    key,
    mapping: { text, run: runOf(text, "claims", level) },
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
        : textOf("username", usernameOf, value, budget);
    // The rest of the server takes an empty name for "no user".
    if (usernameOf !== undefined && name === "") {
      throw new Error("oidc: empty username via CEL expression is not allowed");
    }
    const user: UserInfo = {
      name,
      groups:
        groupsOf === undefined
          ? groupsFromClaim(claims, groups.claim).map((group) => (groups.prefix ?? "") + group)
          : listOfTexts(groupPrefix, evaluated(groupsOf, value, budget, groupPrefix)),
      uid: uidOf === undefined ? uidFromClaim(claims, uid.claim) : textOf("uid", uidOf, value, budget),
      extra: {
        ...credentialId(claims, credentialIdKey),
        ...Object.fromEntries(
          extraOf.flatMap(({ key, mapping }) => {
            const values = listOfTexts(
              `oidc: error evaluating extra claim expression: ${mapping.text}: `,
              evaluated(mapping, value, budget, ""),
            );
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
  return expression === "" ? [] : [{ text: expression, message, run: runOf(expression, variable, level) }];
}

function check(rules: readonly Rule[], value: CelValue, budget: CelBudget, what: string): void {
  const prefix = `oidc: error evaluating ${what}: `;
  for (const rule of rules) {
    const verdict = evaluated(rule, value, budget, prefix);
    if (typeof verdict !== "boolean") {
      throw new Error(`${prefix}validation expression must return a boolean`);
    }
    if (!verdict) throw new Error(`${prefix}validation expression '${rule.text}' failed: ${rule.message}`);
  }
}

function evaluated({ text, run }: Evaluation, of: CelValue, budget: CelBudget, prefix: string): CelValue {
  try {
    return run(of, budget);
  } catch (error) {
    const problem = `expression '${text}' resulted in error: ${messageOf(error)}`;
    throw new Error(`${prefix}${problem}`, { cause: error });
  }
}

function textOf(what: "username" | "uid", mapping: Evaluation, of: CelValue, budget: CelBudget): string {
  const prefix = `oidc: error evaluating ${what} claim expression: `;
  const value = evaluated(mapping, of, budget, prefix);
  if (typeof value === "string") return value;
  throw new Error(`${prefix}${what} claim expression must return a string`);
}

/** Empty texts are left out. */
function listOfTexts(prefix: string, value: CelValue): readonly string[] {
  if (value === null) return [];
  const values = value instanceof CelList ? [...value.values()] : [value];
  return values.flatMap((each) => {
    if (typeof each !== "string") {
      throw new Error(`${prefix}expression must return a string or a list of strings`);
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
