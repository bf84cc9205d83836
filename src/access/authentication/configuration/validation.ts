import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import type { AuthenticationConfiguration, JwtAuthenticator } from "./authentication-configuration.js";
import { compileExpression, selectsClaim } from "./claims-expression.js";
import { type IssuerContext, issuerErrors } from "./issuer-validation.js";

export interface ValidationContext extends IssuerContext {
  readonly level: ApiLevel;
  /** Domains that are reserved in names of extra facts. */
  readonly reservedDomains: readonly string[];
  /** What the file held when the server started; undefined at the start. */
  readonly initial?: Pick<AuthenticationConfiguration, "anonymous"> | undefined;
}

const authenticatorsMax = 64;
const anonymousGate = "AnonymousAuthConfigurableEndpoints";

/** Source: apiserver `pkg/apis/apiserver/validation`. */
export function validateAuthenticationConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  context: ValidationContext,
): FieldError[] {
  const root = FieldPath.of("jwt");
  if (jwt.length > authenticatorsMax) return [tooMany(root, jwt.length, authenticatorsMax)];
  const errors: FieldError[] = [];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  for (const [index, authenticator] of jwt.entries()) {
    const path = root.index(index);
    errors.push(...new AuthenticatorValidation(authenticator, context).run(path));
    const { url = "", discoveryURL = "" } = authenticator.issuer ?? {};
    const issuer = path.child("issuer");
    if (urls.has(url)) errors.push(duplicate(issuer.child("url"), url));
    urls.add(url);
    if (discoveryURL === "") continue;
    if (discoveryUrls.has(discoveryURL)) errors.push(duplicate(issuer.child("discoveryURL"), discoveryURL));
    discoveryUrls.add(discoveryURL);
  }
  if (anonymous !== undefined) {
    const path = FieldPath.of("anonymous");
    if (!context.isEnabled(anonymousGate)) {
      errors.push(
        forbidden(path, `anonymous is not supported when ${anonymousGate} feature gate is disabled`),
      );
    }
    const { enabled = false, conditions = [] } = anonymous;
    if (!enabled && conditions.length > 0) {
      const why = "enabled should be set to true when conditions are defined";
      errors.push(invalid(path.child("conditions"), conditions, why));
    }
  }
  const { initial } = context;
  if (initial !== undefined && !isDeepEqual(anonymous, initial.anonymous)) {
    errors.push(forbidden(FieldPath.of("anonymous"), "changed from initial configuration file"));
  }
  return errors;
}

type Mapping = NonNullable<NonNullable<JwtAuthenticator["claimMappings"]>["username"]>;

const bothSet = "claim and expression can't both be set";

class AuthenticatorValidation {
  readonly #authenticator: JwtAuthenticator;
  readonly #context: ValidationContext;
  readonly #errors: FieldError[] = [];
  #usesVerifiedEmail = false;

  constructor(authenticator: JwtAuthenticator, context: ValidationContext) {
    this.#authenticator = authenticator;
    this.#context = context;
  }

  run(path: FieldPath): readonly FieldError[] {
    const { issuer = {} } = this.#authenticator;
    this.#errors.push(...issuerErrors(issuer, path.child("issuer"), this.#context));
    this.#claimRules(path.child("claimValidationRules"));
    this.#mappings(path.child("claimMappings"));
    this.#userRules(path.child("userValidationRules"));
    return this.#errors;
  }

  #claimRules(root: FieldPath): void {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    for (const [index, rule] of (this.#authenticator.claimValidationRules ?? []).entries()) {
      const { claim = "", expression = "", requiredValue = "", message = "" } = rule;
      const path = root.index(index);
      if (claim !== "" && expression !== "") {
        this.#errors.push(invalid(path, claim, bothSet));
      } else if (claim !== "") {
        if (message !== "") {
          const why = "may not be specified when claim is set";
          this.#errors.push(invalid(path.child("message"), message, why));
        }
        if (claims.has(claim)) this.#errors.push(duplicate(path.child("claim"), claim));
        claims.add(claim);
      } else if (expression === "") {
        this.#errors.push(required(path, "claim or expression is required"));
      } else {
        if (requiredValue !== "") {
          const why = "may not be specified when expression is set";
          this.#errors.push(invalid(path.child("requiredValue"), requiredValue, why));
        }
        if (expressions.has(expression)) {
          this.#errors.push(duplicate(path.child("expression"), expression));
          continue;
        }
        expressions.add(expression);
        if (this.#expression(path.child("expression"), expression, "claims", true)) {
          this.#noteVerified(expression);
        }
      }
    }
  }

  #mappings(path: FieldPath): void {
    const { username = {}, groups = {}, uid = {}, extra = [] } = this.#authenticator.claimMappings ?? {};
    const usesEmail = this.#mapping(path.child("username"), username, true);
    this.#mapping(path.child("groups"), groups, false);
    const { claim = "", expression = "" } = uid;
    if (claim !== "" && expression !== "") this.#errors.push(invalid(path.child("uid"), "", bothSet));
    else if (expression !== "") {
      this.#expression(path.child("uid").child("expression"), expression, "claims", false);
    }
    const keys = new Set<string>();
    for (const [index, { key = "", valueExpression = "" }] of extra.entries()) {
      const at = path.child("extra").index(index);
      this.#extraKey(at.child("key"), key);
      if (keys.has(key)) {
        this.#errors.push(duplicate(at.child("key"), key));
        continue;
      }
      keys.add(key);
      if (valueExpression === "") {
        this.#errors.push(required(at.child("valueExpression"), ""));
      } else if (this.#expression(at.child("valueExpression"), valueExpression, "claims", false)) {
        this.#noteVerified(valueExpression);
      }
    }
    if (usesEmail && !this.#usesVerifiedEmail) {
      this.#errors.push(
        invalid(
          path.child("username", "expression"),
          username.expression ?? "",
          "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression",
        ),
      );
    }
  }

  /** Returns whether it is an expression that reads the user's email address. */
  #mapping(path: FieldPath, { claim = "", prefix, expression = "" }: Mapping, isRequired: boolean): boolean {
    if (claim !== "" && expression !== "") {
      this.#errors.push(invalid(path, "", bothSet));
    } else if (expression !== "") {
      if (prefix !== undefined) {
        const why = "may not be specified when expression is set";
        this.#errors.push(invalid(path.child("prefix"), prefix, why));
      }
      if (!this.#expression(path.child("expression"), expression, "claims", false) || !isRequired)
        return false;
      this.#noteVerified(expression);
      return selectsClaim(expression, "email");
    } else if (claim !== "") {
      if (prefix === undefined) {
        const why =
          "prefix is required when claim is set. It can be set to an empty string to disable prefixing";
        this.#errors.push(required(path.child("prefix"), why));
      }
    } else if (isRequired) {
      this.#errors.push(required(path, "claim or expression is required"));
    }
    return false;
  }

  #extraKey(path: FieldPath, key: string): void {
    const [domain = "", ...rest] = key.split("/");
    const name = rest.join("/");
    if (key === "") this.#errors.push(required(path, ""));
    else if (rest.length === 0 || domain === "" || name === "") {
      this.#errors.push(invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    } else {
      for (const why of isDns1123Subdomain(domain)) this.#errors.push(invalid(path, domain, why));
      if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(name)) {
        this.#errors.push(
          invalid(
            path,
            name,
            "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
          ),
        );
      }
    }
    if (key !== key.toLowerCase()) this.#errors.push(invalid(path, key, "must be lowercase"));
    const { reservedDomains } = this.#context;
    if (rest.length > 0 && reservedDomains.some((own) => domain === own || domain.endsWith(`.${own}`))) {
      const why = `${reservedDomains.join(", ")} and their subdomains are reserved`;
      this.#errors.push(invalid(path, key, why));
    }
  }

  #userRules(root: FieldPath): void {
    const seen = new Set<string>();
    for (const [index, { expression = "" }] of (this.#authenticator.userValidationRules ?? []).entries()) {
      const path = root.index(index).child("expression");
      if (expression === "") this.#errors.push(required(path, ""));
      else if (seen.has(expression)) this.#errors.push(duplicate(path, expression));
      else this.#expression(path, expression, "user", true);
      seen.add(expression);
    }
  }

  /** Returns whether it compiles. */
  #expression(path: FieldPath, text: string, variable: "claims" | "user", isCondition: boolean): boolean {
    const { problem } = compileExpression(text, { variable, isCondition, level: this.#context.level });
    if (problem !== undefined) this.#errors.push(invalid(path, text, problem));
    return problem === undefined;
  }

  #noteVerified(expression: string): void {
    this.#usesVerifiedEmail ||= selectsClaim(expression, "email_verified");
  }
}
