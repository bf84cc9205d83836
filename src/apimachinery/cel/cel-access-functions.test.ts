import { expect, test } from "vitest";
import { authorizerValue, type CelAccessQuestion } from "./cel-access-functions.js";
import { celEnvironment } from "./cel-environment.js";
import { CelBudget } from "./cel-error.js";
import { scalarTypes } from "./cel-type.js";
import { compileCel } from "./compile-cel.js";

/** The authorization check that an expression makes. */
function asked(text: string): CelAccessQuestion | undefined {
  const environment = celEnvironment({ level: "1.36", isStored: true, purpose: "admission" });
  let question: CelAccessQuestion | undefined;
  const authorizer = authorizerValue({
    checkSteps: 1,
    check(one) {
      question = one;
      return { isAllowed: true, reason: "", error: "" };
    },
  });
  const program = compileCel(`${text}.check('get').allowed()`, { a: scalarTypes.authorizer }, environment);
  program.evaluate({ a: authorizer }, new CelBudget(10_000));
  return question;
}

const longest = (length: number) => "a".repeat(length);

test.each([
  ["a.path(' ')", "path must not be empty"],
  ["a.group('').resource(' ')", "resource must not be empty"],
  ["a.serviceAccount('N', 'N').path('/')", "Invalid service account name"],
  ["a.serviceAccount('n', 'a..b').path('/')", "Invalid service account name"],
  ["a.serviceAccount('n', 'a.-b').path('/')", "Invalid service account name"],
  [`a.serviceAccount('n', '${longest(254)}').path('/')`, "Invalid service account name"],
  ["a.serviceAccount('n.n', 'a').path('/')", "Invalid service account namespace"],
  [`a.serviceAccount('${longest(64)}', 'a').path('/')`, "Invalid service account namespace"],
])("%s is refused", (text, problem) => {
  expect(() => asked(text)).toThrow(new RegExp(`^${problem}$`));
});

test("a question may be about a service account with the longest names", () => {
  const [namespace, name] = [longest(63), longest(253)];
  expect(asked(`a.serviceAccount('${namespace}', '${name}').path('/x')`)).toMatchObject({
    path: "/x",
    serviceAccount: { namespace, name },
  });
});
