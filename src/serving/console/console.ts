import {
  badRequest,
  methodNotAllowed,
  pageNotFound,
  requestTooLarge,
  StatusError,
  unauthorized,
} from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { BodyTooLargeError, type ExchangeHandler, type HttpExchange } from "../http/exchange.js";
import { ConsoleAssets } from "./console-assets.js";
import { consoleHeaders } from "./console-headers.js";
import type { ConsoleCredential, ConsoleSession, ConsoleSessions, SessionKeys } from "./console-sessions.js";
import { ForwardedExchange } from "./forwarded-exchange.js";
import { isOwnPage } from "./own-page.js";

export interface ConsoleParts {
  readonly sessions: ConsoleSessions;
  /** The folder of the page's files. */
  readonly assets: string;
  /** Authenticates a request by its own credentials; undefined if they identify nobody. */
  readonly identify: (exchange: HttpExchange) => Promise<UserInfo | undefined>;
  readonly record: RecordRequest;
  /** What the page shows about the server. */
  readonly about: () => JsonObject;
  /** Handles any request of the API. */
  readonly forward: ExchangeHandler;
  readonly writeError: (exchange: HttpExchange, error: StatusError) => Promise<void>;
}

/** The user, and how it was identified: by `link`, `token`, `certificate` or `session`. */
export interface Known {
  readonly user: UserInfo;
  readonly by: string;
}

/**
 * Answers a request and records it in the audit log, even when it is refused. `identify` rejects with a `StatusError` if it identifies
 * nobody; it calls `attempts` with the kind of credential that was tried.
 */
export type RecordRequest = <K extends Known>(
  exchange: HttpExchange,
  identify: (attempts: (by: string) => void) => Promise<K>,
  answer: (exchange: HttpExchange, known: K) => void,
) => Promise<void>;

/** Everything the console answers is below this path. */
export const consolePath = "/console";

const assetsPath = `${consolePath}/assets/`;
const sessionPath = `${consolePath}/session`;
const linksPath = `${consolePath}/links`;
/** Followed by the path of any other request. */
const serverPath = `${consolePath}/server/`;

/** Carries the page's session key with every request of the page; other sites' pages, links and images cannot set it. */
const pageKeyHeader = "x-console-key";

/** Tokens of service accounts have a few kilobytes. */
const signInBytesMax = 64 * 1024;
const signInMs = 10_000;

/**
 * The page at `/console`. A user signs in with a link, a token or a certificate; requests of the page then pass the whole filter chain as
 * that user.
 */
export class Console {
  readonly #parts: ConsoleParts;
  readonly #assets: ConsoleAssets;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#assets = new ConsoleAssets(parts.assets);
  }

  /** Answers a request below `consolePath`. */
  async handle(exchange: HttpExchange): Promise<void> {
    if (exchange.path.startsWith(serverPath)) {
      const session = this.#sessionOf(exchange);
      if (session !== undefined) return await this.#forward(exchange, session);
    }
    try {
      await this.#answer(exchange);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      await this.#parts.writeError(exchange, error);
    }
  }

  async #answer(exchange: HttpExchange): Promise<void> {
    const { path, method } = exchange;
    if (path === sessionPath) return await this.#answerSession(exchange);
    if (path === linksPath) return await this.#giveLink(exchange);
    if (path.startsWith(serverPath)) throw unauthorized();
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
    if (path === consolePath) {
      exchange.respond(308, { ...consoleHeaders, Location: `${consolePath}/` });
      return;
    }
    const name = path.startsWith(assetsPath) ? path.slice(assetsPath.length) : undefined;
    const isPage = path === `${consolePath}/`;
    if (!isPage && (name === undefined || name === "")) throw pageNotFound();
    if (!(await this.#assets.answer(exchange, name ?? ""))) throw pageNotFound();
  }

  async #answerSession(exchange: HttpExchange): Promise<void> {
    switch (exchange.method) {
      case "POST":
        return await this.#signIn(exchange);
      case "GET": {
        const session = this.#sessionOf(exchange);
        if (session === undefined) throw unauthorized();
        return answerJson(exchange, 200, this.#describe(session));
      }
      case "DELETE":
        if (!isOwnPage(exchange)) throw unauthorized();
        return await this.#signOut(exchange);
      default:
        throw methodNotAllowed();
    }
  }

  /** Otherwise another site's page could sign its own user in here. */
  async #signIn(exchange: HttpExchange): Promise<void> {
    await this.#parts.record(
      exchange,
      async (attempts) => {
        if (!isOwnPage(exchange) || exchange.headers["content-type"] !== "application/json")
          throw unauthorized();
        const signIn = parseSignIn(await readSmallBody(exchange));
        const by = meansOf(signIn);
        if (by === undefined) throw unauthorized();
        attempts(by);
        const credential = this.#presented(exchange, signIn);
        if (credential === undefined) throw unauthorized();
        const user = await this.#parts.identify(new ForwardedExchange(exchange, "/", credential));
        if (user === undefined) throw unauthorized();
        return { user, by, credential };
      },
      (recorded, { user, credential }) => {
        const { session, keys } = this.#parts.sessions.open(credential, user);
        const seconds = Math.floor((session.endsAtMs - Date.now()) / 1000);
        recorded.addResponseHeader("Set-Cookie", cookieOf(exchange, keys.cookie, seconds));
        answerJson(recorded, 201, { ...this.#describe(session), key: keys.page });
      },
    );
  }

  #presented(
    exchange: HttpExchange,
    { link, token, certificate }: JsonObject,
  ): ConsoleCredential | undefined {
    if (typeof link === "string") return this.#parts.sessions.redeemLink(link);
    if (typeof token === "string") return isHeaderText(token) ? { kind: "token", token } : undefined;
    const certificates = certificate === true ? exchange.connection.peerCertificates : undefined;
    return certificates && { kind: "certificate", certificates };
  }

  async #signOut(exchange: HttpExchange): Promise<void> {
    const answer = (answered: HttpExchange): void => {
      this.#parts.sessions.end(keysOf(exchange));
      answered.respond(204, { ...consoleHeaders, "Set-Cookie": cookieOf(exchange, "", 0) });
    };
    const session = this.#sessionOf(exchange);
    if (session === undefined) return answer(exchange);
    await this.#parts.record(exchange, async () => ({ user: session.user, by: "session" }), answer);
  }

  /** Issues a sign-in link for users whose client has credentials that their browser lacks. */
  async #giveLink(exchange: HttpExchange): Promise<void> {
    if (exchange.method !== "POST") throw methodNotAllowed();
    await this.#parts.record(
      exchange,
      async (attempts) => {
        const credential = ownCredential(exchange);
        if (credential === undefined) throw unauthorized();
        attempts(credential.kind);
        const user = await this.#parts.identify(exchange);
        if (user === undefined) throw unauthorized();
        return { user, by: credential.kind, credential };
      },
      (recorded, { user, credential }) => {
        const key = this.#parts.sessions.issueLink(credential, user.name);
        answerJson(recorded, 201, { link: consoleLink(`https://${exchange.host}`, key) });
      },
    );
  }

  async #forward(exchange: HttpExchange, { credential }: ConsoleSession): Promise<void> {
    const target = exchange.target.slice(serverPath.length - 1);
    await this.#parts.forward(new ForwardedExchange(exchange, target, credential));
  }

  #sessionOf(exchange: HttpExchange): ConsoleSession | undefined {
    return isOwnPage(exchange) ? this.#parts.sessions.find(keysOf(exchange)) : undefined;
  }

  #describe({ user, endsAtMs }: ConsoleSession): JsonObject {
    return {
      user: { name: user.name, groups: [...user.groups] },
      endsAt: new Date(endsAtMs).toISOString(),
      server: this.#parts.about(),
    };
  }
}

/** The client's own credentials: its token, or the certificate of its connection. */
function ownCredential({ headers, connection }: HttpExchange): ConsoleCredential | undefined {
  const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (token !== undefined) return { kind: "token", token };
  const { peerCertificates } = connection;
  return peerCertificates && { kind: "certificate", certificates: peerCertificates };
}

function meansOf(signIn: JsonObject): string | undefined {
  return ["link", "token", "certificate"].find((means) => signIn[means] !== undefined);
}

/** The URL to open in a browser. The key is in the fragment, which browsers never send, so no log contains it. */
export function consoleLink(origin: string, key: string): string {
  return `${origin}${consolePath}/#link=${key}`;
}

function answerJson(exchange: HttpExchange, status: number, document: JsonObject): void {
  const headers = { ...consoleHeaders, "Content-Type": "application/json", "Cache-Control": "no-store" };
  exchange.respond(status, headers, printJson(document));
}

function keysOf(exchange: HttpExchange): Partial<SessionKeys> {
  const name = `${cookieName(exchange)}=`;
  const cookies = (exchange.headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  const cookie = cookies.find((each) => each.startsWith(name))?.slice(name.length);
  const page = exchange.headers[pageKeyHeader];
  return { ...(cookie !== undefined && { cookie }), ...(page !== undefined && { page }) };
}

function cookieOf(exchange: HttpExchange, value: string, seconds: number): string {
  const attributes = `Path=${consolePath}/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;
  return `${cookieName(exchange)}=${value}; ${attributes}`;
}

/** Ports of a host share cookies, so the name contains the port. */
function cookieName({ host }: HttpExchange): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? "443";
  return `__Secure-console-${port}`;
}

async function readSmallBody(exchange: HttpExchange): Promise<string> {
  const timer = setTimeout(() => exchange.abort(), signInMs);
  try {
    return Buffer.from(await exchange.readBody(signInBytesMax)).toString("utf8");
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw requestTooLarge(`a sign-in has at most ${signInBytesMax} bytes`);
  } finally {
    clearTimeout(timer);
  }
}

function parseSignIn(body: string): JsonObject {
  let parsed: JsonValue;
  try {
    parsed = parseJson(body);
  } catch (error) {
    throw badRequest("a sign-in is a JSON object", error);
  }
  if (!isJsonObject(parsed)) throw badRequest("a sign-in is a JSON object");
  return parsed;
}

/** A token must not contain what would end the header, or a space. */
function isHeaderText(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
