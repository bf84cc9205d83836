import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import type { CompiledFlowSchema, CompiledRule } from "./flow-schema.js";
import type { PriorityLevel } from "./priority-level.js";

/** The classification of a request: the schema it matched and the priority level it runs at. */
export interface Classification {
  readonly schema: CompiledFlowSchema;
  readonly level: PriorityLevel;
}

/** Users whose rules are cached by name and groups. */
const usersMax = 1000;
/** Longer ones are not cached, because identity providers and impersonation choose the groups. */
const userKeyLengthMax = 1000;

interface Candidate {
  readonly rule: CompiledRule;
  readonly classification: Classification;
}

/** Finds the flow schema of a request. The rules that name a user are kept for the user's next request. */
export class RequestClassifier {
  readonly #schemas: readonly CompiledFlowSchema[];
  readonly #levels: ReadonlyMap<string, PriorityLevel>;
  readonly #rulesOfUsers = new WeakMap<UserInfo, readonly Candidate[]>();
  /** By name and groups. */
  readonly #rulesByUser = new Map<string, readonly Candidate[]>();

  /** `schemas` are in the order of evaluation; `levels` are by name. */
  constructor(schemas: readonly CompiledFlowSchema[], levels: ReadonlyMap<string, PriorityLevel>) {
    this.#schemas = schemas;
    this.#levels = levels;
  }

  classify(user: UserInfo, info: RequestInfo): Classification {
    let candidates = this.#rulesOfUsers.get(user);
    if (candidates === undefined) {
      candidates = this.#rulesOfSameUsers(user);
      this.#rulesOfUsers.set(user, candidates);
    }
    for (const { rule, classification } of candidates) if (rule.matches(info)) return classification;
    return this.#catchAll();
  }

  /** Front proxies and impersonation create a new user object for each request. */
  #rulesOfSameUsers(user: UserInfo): readonly Candidate[] {
    const key = JSON.stringify([user.name, user.groups]);
    if (key.length > userKeyLengthMax) return this.#candidates(user);
    let candidates = this.#rulesByUser.get(key);
    if (candidates === undefined) {
      candidates = this.#candidates(user);
      if (this.#rulesByUser.size >= usersMax) this.#rulesByUser.clear();
      this.#rulesByUser.set(key, candidates);
    }
    return candidates;
  }

  #candidates(user: UserInfo): readonly Candidate[] {
    return this.#schemas.flatMap((schema) => {
      const level = this.#levels.get(schema.priorityLevel);
      if (level === undefined) return [];
      const classification = { schema, level };
      return schema.rules
        .filter((rule) => rule.isSubject(user))
        .map((rule): Candidate => ({ rule, classification }));
    });
  }

  /** Every user is in one of these groups. A request that matches nothing, perhaps because of an unknown verb, belongs here too. */
  #catchAll(): Classification {
    const schema = this.#schemas.find(({ name }) => name === "catch-all");
    const level = this.#levels.get("catch-all");
    if (schema === undefined || level === undefined) throw new Error("no catch-all priority level");
    return { schema, level };
  }
}
