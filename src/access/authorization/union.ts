import {
  type AccessQuestion,
  type AccessRules,
  type Authorizer,
  type Decision,
  noAccess,
} from "../../apimachinery/requests/authorizer.js";

/**
 * Asks in order: the first that allows or denies decides. When none does, all reasons and errors are reported. Source:
 * k8s.io/apiserver `pkg/authorization/union`.
 */
export function authorizerUnion(authorizers: readonly Authorizer[]): Authorizer {
  const [only] = authorizers;
  if (authorizers.length === 1 && only !== undefined) return only;
  return {
    authorize: (question) => decide(authorizers, question, 0, []),
    rulesFor: async (user, namespace) => {
      const all = await Promise.all(authorizers.map((authorizer) => authorizer.rulesFor(user, namespace)));
      return all.reduce(joined, noAccess);
    },
  };
}

/** Stays synchronous while the authorizers do, because every request passes here. */
function decide(
  authorizers: readonly Authorizer[],
  question: AccessQuestion,
  from: number,
  undecided: readonly Decision[],
): Promise<Decision> | Decision {
  let seen = undecided;
  for (let index = from; index < authorizers.length; index += 1) {
    const decision = authorizers[index]?.authorize(question);
    if (decision === undefined) continue;
    if (decision instanceof Promise) {
      const before = seen;
      return decision.then((awaited) =>
        awaited.kind === "noOpinion"
          ? decide(authorizers, question, index + 1, [...before, awaited])
          : awaited,
      );
    }
    if (decision.kind !== "noOpinion") return decision;
    if (decision.reason !== "" || decision.error !== undefined) seen = [...seen, decision];
  }
  return summary(seen);
}

function summary(undecided: readonly Decision[]): Decision {
  const errors = undecided.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const reason = undecided
    .flatMap((decision) => (decision.reason === "" ? [] : [decision.reason]))
    .join("\n");
  if (errors.length === 0) return { kind: "noOpinion", reason };
  const error =
    errors.length === 1 && errors[0] !== undefined
      ? errors[0]
      : new AggregateError(errors, `[${errors.map(({ message }) => message).join(", ")}]`);
  return { kind: "noOpinion", reason, error };
}

function joined(before: AccessRules, next: AccessRules): AccessRules {
  const errors = [before.error, next.error].filter((error) => error !== undefined);
  return {
    resourceRules: [...before.resourceRules, ...next.resourceRules],
    nonResourceRules: [...before.nonResourceRules, ...next.nonResourceRules],
    incomplete: before.incomplete || next.incomplete,
    ...(errors.length > 0 && { error: errors.join(", ") }),
  };
}
