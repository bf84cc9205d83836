/**
 * Asks one after the other until an answer decides. Stays synchronous unless an answer is a promise, so that requests with cached
 * credentials continue at once.
 */
export function firstAnswer<Asked, Answer, Decision>(
  asked: readonly Asked[],
  ask: (one: Asked) => Answer | Promise<Answer>,
  decide: (answer: Answer) => Decision | undefined,
  otherwise: () => Decision,
): Decision | Promise<Decision> {
  for (let at = 0; at < asked.length; at++) {
    const answer = ask(asked[at] as Asked); // `at` is in range
    if (answer instanceof Promise) return inTurn(answer, asked.slice(at + 1), ask, decide, otherwise);
    const decision = decide(answer);
    if (decision !== undefined) return decision;
  }
  return otherwise();
}

async function inTurn<Asked, Answer, Decision>(
  first: Promise<Answer>,
  rest: readonly Asked[],
  ask: (one: Asked) => Answer | Promise<Answer>,
  decide: (answer: Answer) => Decision | undefined,
  otherwise: () => Decision,
): Promise<Decision> {
  const decision = decide(await first);
  return decision !== undefined ? decision : firstAnswer(rest, ask, decide, otherwise);
}
