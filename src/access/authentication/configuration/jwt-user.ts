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
  const mapping = new UserMapping(claimMappings, level);
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
    const token: MappedToken = { claims, value, budget };
    const user: UserInfo = {
      name: mapping.nameOf(token),
      groups: mapping.groupsOf(token),
      uid: mapping.uidOf(token),
      extra: { ...credentialId(claims, credentialIdKey), ...mapping.extraOf(token) },
    };
    checkRequiredClaims(claims, requiredClaims);
    check(claimRules, value, budget, "claim validation expression");
    if (userRules.length > 0) check(userRules, userValue(user), budget, "user info validation rule");
    return user;
  };
}

interface MappedToken {
  readonly claims: JsonObject;
  /** The same for expressions. */
  readonly value: CelValue;
  readonly budget: CelBudget;
}

type ClaimMappings = NonNullable<JwtAuthenticator["claimMappings"]>;

/** Where the facts about a user come from: each from a claim, or an expression. */
class UserMapping {
  readonly #mappings: ClaimMappings;
  readonly #name: Evaluation | undefined;
  readonly #groups: Evaluation | undefined;
  readonly #uid: Evaluation | undefined;
  readonly #extra: readonly { readonly key: string; readonly mapping: Evaluation }[];

  constructor(mappings: ClaimMappings, level: ApiLevel) {
    const compiled = (text: string): Evaluation => ({ text, run: runOf(text, "claims", level) });
    const given = (text = ""): Evaluation | undefined => (text === "" ? undefined : compiled(text));
    const { username, groups, uid, extra = [] } = mappings;
    this.#mappings = mappings;
    this.#name = given(username?.expression);
    this.#groups = given(groups?.expression);
    this.#uid = given(uid?.expression);
    this.#extra = extra.map(({ key = "", valueExpression = "" }) => ({
      key,
      mapping: compiled(valueExpression),
    }));
  }

  nameOf({ claims, value, budget }: MappedToken): string {
    const { prefix = "", claim = "" } = this.#mappings.username ?? {};
    if (this.#name === undefined) return prefix + usernameFromClaim(claims, claim);
    const name = textOf("username", this.#name, value, budget);
    // The rest of the server takes an empty name for "no user".
    if (name === "") throw new Error("oidc: empty username via CEL expression is not allowed");
    return name;
  }

  groupsOf({ claims, value, budget }: MappedToken): readonly string[] {
    const { prefix = "", claim } = this.#mappings.groups ?? {};
    if (this.#groups === undefined) return groupsFromClaim(claims, claim).map((group) => prefix + group);
    return listOfTexts(groupPrefix, evaluated(this.#groups, value, budget, groupPrefix));
  }

  uidOf({ claims, value, budget }: MappedToken): string {
    if (this.#uid === undefined) return uidFromClaim(claims, this.#mappings.uid?.claim);
    return textOf("uid", this.#uid, value, budget);
  }

  /** Without those that have no values. */
  extraOf({ value, budget }: MappedToken): Record<string, readonly string[]> {
    return Object.fromEntries(
      this.#extra.flatMap(({ key, mapping }) => {
        const prefix = `oidc: error evaluating extra claim expression: ${mapping.text}: `;
        const values = listOfTexts(prefix, evaluated(mapping, value, budget, ""));
        return values.length === 0 ? [] : [[key, values]];
      }),
    );
  }
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
