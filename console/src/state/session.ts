import { signal } from "@preact/signals";
import { type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../api/json.ts";

export interface Session {
  readonly user: string;
  readonly groups: readonly string[];
  readonly server: {
    readonly name: string;
    readonly version: string;
    readonly level: string;
    readonly profile: string;
    /** Whether it offers the lab, for tests of controllers. */
    readonly hasLab: boolean;
    /** Whether its nodes and pods are simulated. */
    readonly isSimulated: boolean;
    readonly names: JsonObject;
  };
}

/** Undefined while signed out; "unknown" until the server has answered. */
export const session = signal<Session | undefined | "unknown">("unknown");
/** Why the last attempt failed, or the session ended. */
export const signInProblem = signal("");

export type SignIn = { readonly link: string } | { readonly token: string } | { readonly certificate: true };

const storageKey = "console-key";
export const keyHeader = "X-Console-Key";

/** The page's half of the session's key; the browser keeps the other half in an HttpOnly cookie. */
export function pageKey(): string {
  return localStorage.getItem(storageKey) ?? "";
}

/** Removes the key of a one-time link from the address, so that it does not stay in the history. */
export async function begin(): Promise<void> {
  const link = linkIn(location.hash);
  if (link !== undefined) {
    history.replaceState(null, "", "#/");
    dispatchEvent(new HashChangeEvent("hashchange"));
    if (await signIn({ link })) return;
  }
  const answer = pageKey() === "" ? undefined : await ask("GET");
  session.value = answer?.ok === true ? readSession(parseObject(await answer.text())) : undefined;
  if (session.value !== undefined) signInProblem.value = "";
}

function linkIn(hash: string): string | undefined {
  return /^#link=([\w-]+)/.exec(hash)?.[1];
}

/** A link that is opened in the tab of the page does not reload the page. */
export function followLinks(): void {
  addEventListener("hashchange", () => {
    if (linkIn(location.hash) !== undefined) void begin();
  });
}

export async function signIn(how: SignIn): Promise<boolean> {
  const answer = await ask("POST", JSON.stringify(how));
  if (!answer.ok) {
    signInProblem.value =
      "link" in how
        ? "This link was used before, or is older than 15 minutes."
        : "The server did not accept these credentials.";
    return false;
  }
  const body = parseObject(await answer.text());
  localStorage.setItem(storageKey, textAt(body, "key"));
  signInProblem.value = "";
  session.value = readSession(body);
  return true;
}

export async function signOut(): Promise<void> {
  await ask("DELETE");
  ended("");
}

export function ended(why: string): void {
  localStorage.removeItem(storageKey);
  signInProblem.value = why;
  session.value = undefined;
}

/** A name of the server's profile, such as `metaGroup`. */
export function nameOf(what: string): string {
  const current = session.value;
  return current === undefined || current === "unknown" ? "" : textAt(current.server.names, what);
}

export function hasLab(): boolean {
  const current = session.value;
  return current !== undefined && current !== "unknown" && current.server.hasLab;
}

export function isSimulated(): boolean {
  const current = session.value;
  return current !== undefined && current !== "unknown" && current.server.isSimulated;
}

function ask(method: string, body?: string): Promise<Response> {
  return fetch("session", {
    method,
    headers: { [keyHeader]: pageKey(), ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
}

function readSession(body: Json): Session {
  const server = objectAt(body, "server");
  return {
    user: textAt(body, "user", "name"),
    groups: listAt(body, "user", "groups").map(String),
    server: {
      name: textAt(server, "name"),
      version: textAt(server, "version"),
      level: textAt(server, "level"),
      profile: textAt(server, "profile"),
      hasLab: server.lab === true,
      isSimulated: server.simulation === true,
      names: objectAt(server, "names"),
    },
  };
}
