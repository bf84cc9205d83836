import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { nameOf } from "../state/session.ts";
import { at, parseObject } from "./json.ts";
import { send } from "./request.ts";

/** What a user may want to do. */
export interface Action {
  readonly verb: string;
  readonly group?: string;
  readonly plural?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** A path outside the resources, instead of a resource. */
  readonly path?: string;
}

/** Roles may change while the page is open. */
const freshMs = 60_000;
/** A user who may do everything is not checked for anything else. */
const everything: Action = { verb: "*", group: "*", plural: "*" };
let mayDoEverything: Promise<boolean> | undefined;
const answers = new Map<string, { readonly allowed: Signal<boolean | undefined>; askedAtMs: number }>();

/** Whether the signed-in user may do it; undefined until the server has said. Kept for a minute. */
export function may(action: Action): ReadonlySignal<boolean | undefined> {
  const key = JSON.stringify(action);
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = { allowed: signal(undefined), askedAtMs: 0 };
    answers.set(key, answer);
  }
  if (Date.now() - answer.askedAtMs > freshMs) {
    answer.askedAtMs = Date.now();
    const { allowed } = answer;
    void decide(action).then((value) => {
      allowed.value = value;
    });
  }
  return answer.allowed;
}

export function forgetAccess(): void {
  answers.clear();
  mayDoEverything = undefined;
}

/** When the server gives no answer, the action is offered: if it is refused, the message says why. */
async function decide(action: Action): Promise<boolean> {
  mayDoEverything ??= askServer(everything).catch(() => false);
  if (action.path === undefined && (await mayDoEverything)) return true;
  return await askServer(action).catch(() => true);
}

async function askServer(action: Action): Promise<boolean> {
  const { verb, group = "", plural = "", namespace = "", name = "", subresource = "", path } = action;
  const spec =
    path === undefined
      ? { resourceAttributes: { verb, group, resource: plural, namespace, name, subresource } }
      : { nonResourceAttributes: { verb, path } };
  const apiGroup = nameOf("authorizationGroup");
  const answer = await send(`/apis/${apiGroup}/v1/selfsubjectaccessreviews`, {
    method: "POST",
    contentType: "application/json",
    body: JSON.stringify({ apiVersion: `${apiGroup}/v1`, kind: "SelfSubjectAccessReview", spec }),
  });
  return at(parseObject(await answer.text()), "status", "allowed") === true;
}

/** Whether the user may list a resource, once the server has said so. */
export function mayList(
  { group, plural }: { readonly group: string; readonly plural: string },
  namespace: string,
): Promise<boolean> {
  return decide({ verb: "list", group, plural, namespace });
}
