import type { Authenticator } from "../../access/authentication/authenticator.js";
import {
  createRequestHeaderAuthenticator,
  isRequestHeader,
  type RequestHeaderNames,
} from "../../access/authentication/request-header.js";
import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import { AuthorityFiles } from "../pki/authority-files.js";
import { type FrontProxySettings, suggestedFrontProxies } from "../pki/server-pki.js";

/** Front proxies, which name the user in headers. */
export interface FrontProxy extends RequestHeaderNames {
  readonly authorities: AuthorityFiles;
  readonly allowedNames: readonly string[];
  readonly authenticator: Authenticator;
}

/** Undefined without an authority. Rejects with an `Error` that names the option. */
export async function loadFrontProxy(
  settings: FrontProxySettings,
  naming: Naming,
  log: Logger,
): Promise<FrontProxy | undefined> {
  const names = headerNames(settings);
  const { caFile: file, allowedNames } = settings;
  if (file === undefined) {
    const { username, group, uid = [], extraPrefixes } = names;
    const given = [...username, ...group, ...uid, ...extraPrefixes, ...allowedNames];
    if (given.length > 0) {
      log.warn("the --requestheader options have no effect without --requestheader-client-ca-file");
    }
    return undefined;
  }
  const authorities = await AuthorityFiles.open({
    option: "requestheader-client-ca-file",
    files: [file],
    whose: "front proxies",
    naming,
    log,
  });
  const authenticator = createRequestHeaderAuthenticator({
    ...names,
    authorities: authorities.authorities,
    allowedNames,
    now: () => new Date(),
  });
  return { ...names, authorities, allowedNames, authenticator };
}

/** Recognizes headers that only a front proxy may send; the suggested ones always. */
export function identityHeaders(settings: FrontProxySettings): (name: string) => boolean {
  const own = isRequestHeader(headerNames(settings));
  const suggested = isRequestHeader(headerNames(suggestedFrontProxies));
  return (name) => own(name) || suggested(name);
}

function headerNames(settings: Omit<FrontProxySettings, "caFile">): RequestHeaderNames {
  return {
    username: settings.usernameHeaders,
    group: settings.groupHeaders,
    uid: settings.uidHeaders,
    extraPrefixes: settings.extraHeadersPrefix,
  };
}
