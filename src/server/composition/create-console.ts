import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { RequestAuthenticator } from "../../access/authentication/union.js";
import { tokenProtocolPrefix } from "../../access/authentication/web-socket-token.js";
import { internal } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Auditor } from "../../audit/auditor.js";
import type { Naming } from "../../naming/naming.js";
import { Console, consolePath, type RecordRequest } from "../../serving/console/console.js";
import { type ConsoleCredential, ConsoleSessions } from "../../serving/console/console-sessions.js";
import { audit, auditEarlyRefusals } from "../../serving/filters/audit.js";
import { chain, type Filter } from "../../serving/filters/filter.js";
import { RequestCredentials } from "../../serving/filters/request-credentials.js";
import { standardHeaders } from "../../serving/filters/standard-headers.js";
import { ClientGoneError, type ExchangeHandler, type HttpExchange } from "../../serving/http/exchange.js";
import { openContext } from "../../serving/request/open-context.js";
import type { StatusResponder } from "../../serving/responses/status-response.js";
import { dateOf } from "../../time/clock.js";
import type { Options } from "../options/options.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { builtFile } from "../settings/built-file.js";
import { isLoopback } from "../settings/cluster-addresses.js";
import { gitVersion } from "../settings/version.js";

export interface ServedConsole {
  /** Answers requests of the console, and passes on all others. */
  readonly handler: ExchangeHandler;
  /** The key of a link that signs in once with this credential. */
  issueLink(credential: ConsoleCredential): string;
}

/** Owner of the server's own sign-in links; no user has this name. */
const ownLinks = "";

export interface ServedConsoleParts extends ApiServerParts {
  readonly authenticator: RequestAuthenticator;
  readonly status: StatusResponder;
  /** Handles any request of the API. */
  readonly forward: ExchangeHandler;
  /** Undefined when nothing is recorded. */
  readonly auditor: Auditor | undefined;
}

/** Undefined when the console is off, or its files are missing because the server runs from source or was bundled again. */
export function createConsole(parts: ServedConsoleParts): ServedConsole | undefined {
  const { options, naming, log, authenticator, status, forward } = parts;
  const assets = builtFile(process.env.ORCH_CONSOLE_ASSETS);
  if (!isServed(options) || assets === undefined) return undefined;
  const sessions = new ConsoleSessions({
    randomKey: () => randomBytes(32).toString("base64url"),
    nowMs: () => Date.now(),
  });
  const tokenProtocol = tokenProtocolPrefix(naming.groupDomain);
  const page = new Console({
    sessions,
    assets: fileURLToPath(assets),
    async identify(exchange) {
      const context = openContext(exchange, new Date());
      const result = await authenticator(new RequestCredentials(context, tokenProtocol));
      return result.kind === "user" ? result.user : undefined;
    },
    record: recordBy(parts),
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

/** Records requests that sign in or out by passing them through the audit filters. */
function recordBy({ auditor, naming, clock }: ServedConsoleParts): RecordRequest {
  const annotation = `authentication.${naming.groupDomain}/console`;
  return async (exchange, identify, answer) => {
    if (auditor === undefined) return answer(exchange, await identify(() => undefined));
    let attempted = "nothing";
    const known = identify((by) => {
      attempted = by;
    });
    const identified: Filter = async (context, next) => {
      const { user, by } = await known;
      context.annotate(annotation, by);
      context.authenticatedUser = user;
      context.user = user;
      return next(context);
    };
    const filters = [
      standardHeaders(randomUUID),
      auditEarlyRefusals(auditor, () => `Authentication failed, attempted: ${attempted}`),
      identified,
      audit(auditor),
    ];
    const handle = chain(filters, async (context) => answer(context.exchange, await known));
    await handle(openContext(exchange, dateOf(clock)()));
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

/** Names for the page's requests, in the server's profile. */
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
