import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RequestAuthenticator } from "../../access/authentication/union.js";
import { internal } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Naming } from "../../naming/naming.js";
import { Console, consolePath } from "../../serving/console/console.js";
import { type ConsoleCredential, ConsoleSessions } from "../../serving/console/console-sessions.js";
import { RequestCredentials } from "../../serving/filters/request-credentials.js";
import { ClientGoneError, type ExchangeHandler, type HttpExchange } from "../../serving/http/exchange.js";
import { openContext } from "../../serving/request/open-context.js";
import type { StatusResponder } from "../../serving/responses/status-response.js";
import type { Options } from "../options/options.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { isLoopback } from "../settings/cluster-addresses.js";
import { gitVersion } from "../settings/version.js";

export interface ServedConsole {
  /** Answers requests of the console, and hands on all others. */
  readonly handler: ExchangeHandler;
  /** The key of a link that signs in once with this credential. */
  issueLink(credential: ConsoleCredential): string;
}

/** As whose the server's own links count: no user has this name. */
const ownLinks = "";

export interface ServedConsoleParts {
  readonly parts: ApiServerParts;
  readonly authenticator: RequestAuthenticator;
  readonly status: StatusResponder;
  /** The way of every request. */
  readonly forward: ExchangeHandler;
}

/** Undefined where the console is off, or its files are missing: when the server runs from source, or is bundled again. */
export function createConsole({
  parts,
  authenticator,
  status,
  forward,
}: ServedConsoleParts): ServedConsole | undefined {
  const { options, naming, log } = parts;
  const assets = consoleAssets();
  if (!isServed(options) || assets === undefined) return undefined;
  const sessions = new ConsoleSessions({
    randomKey: () => randomBytes(32).toString("base64url"),
    nowMs: () => Date.now(),
  });
  const tokenProtocol = `base64url.bearer.authorization.${naming.groupDomain}.`;
  const page = new Console({
    sessions,
    assets,
    async identify(exchange) {
      const context = openContext(exchange, new Date());
      const result = await authenticator(new RequestCredentials(context, tokenProtocol));
      return result.kind === "user" ? result.user : undefined;
    },
    about: () => aboutServer(parts),
    forward,
    writeError: (exchange, error) => status.error(exchange, error),
  });
  const answer = async (exchange: HttpExchange): Promise<void> => {
    try {
      await page.handle(exchange);
    } catch (error) {
      if (error instanceof ClientGoneError || exchange.responseStarted) return exchange.abort();
      log.error("the console could not answer", error, { method: exchange.method, path: exchange.path });
      await status.error(exchange, internal("the console could not answer", error));
    }
  };
  return {
    handler: (exchange) => (isOfConsole(exchange.path) ? answer(exchange) : forward(exchange)),
    issueLink: (credential) => sessions.issueLink(credential, ownLinks),
  };
}

function isOfConsole(path: string): boolean {
  return (
    path.startsWith(consolePath) && (path.length === consolePath.length || path[consolePath.length] === "/")
  );
}

function isServed({ console: place, bindAddress }: Options): boolean {
  return place === "on" || (place === "loopback" && isLoopback(bindAddress));
}

function consoleAssets(): string | undefined {
  const folder = process.env.ORCH_CONSOLE_ASSETS;
  if (folder === undefined) return undefined;
  const url = new URL(folder, import.meta.url);
  return existsSync(url) ? fileURLToPath(url) : undefined;
}

/** The names by which the page asks for what it needs, in the server's profile. */
function aboutServer({ options, naming, build }: ApiServerParts): JsonObject {
  return {
    name: naming.commandName,
    version: gitVersion(build, options.apiLevel),
    profile: naming.profile,
    level: options.apiLevel,
    lab: options.lab,
    simulation: options.simulate !== undefined,
    names: namesOf(naming),
  };
}

function namesOf(naming: Naming): JsonObject {
  return {
    metaGroup: naming.group("meta"),
    authorizationGroup: naming.group("authorization"),
    definitionsGroup: naming.group("apiextensions"),
    eventsGroup: naming.group("events"),
    extensionPrefix: naming.extensionPrefix,
    storeName: naming.storeName,
    labelDomain: naming.domain,
  };
}
