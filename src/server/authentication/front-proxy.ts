import type { Authenticator } from "../../access/authentication/authenticator.js";
import {
  createRequestHeaderAuthenticator,
  isRequestHeader,
  type RequestHeaderNames,
} from "../../access/authentication/request-header.js";
import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { AuthorityFiles } from "../pki/authority-files.js";

/** Front proxies, which name the user in headers. */
export interface FrontProxy extends RequestHeaderNames {
  readonly authorities: AuthorityFiles;
  readonly allowedNames: readonly string[];
  readonly authenticator: Authenticator;
}

/** Never forwarded, even where no front proxy is configured. */
const suggestedHeaders: RequestHeaderNames = {
  username: ["X-Remote-User"],
  group: ["X-Remote-Group"],
  extraPrefixes: ["X-Remote-Extra-"],
};

/** Undefined without `--requestheader-client-ca-file`. Rejects with an `Error` that names the option. */
export async function loadFrontProxy(
  options: Options,
  naming: Naming,
  log: Logger,
): Promise<FrontProxy | undefined> {
  const names = headerNames(options);
  const { requestheaderClientCaFile: file, requestheaderAllowedNames: allowedNames } = options;
  if (file === undefined) {
    const given = [...names.username, ...names.group, ...names.extraPrefixes, ...allowedNames];
    if (given.length > 0) {
      log.warn("the --requestheader options have no effect without --requestheader-client-ca-file");
    }
    return undefined;
  }
  const authorities = await forOption("requestheader-client-ca-file", naming, async () => {
    return new AuthorityFiles({
      files: [file],
      onError: (error) => log.error("the authorities of front proxies could not be read again", error),
    });
  });
  const authenticator = createRequestHeaderAuthenticator({
    ...names,
    authorities: authorities.authorities,
    allowedNames,
    now: () => new Date(),
  });
  return { ...names, authorities, allowedNames, authenticator };
}

/** Recognizes headers that only a front proxy may send. */
export function identityHeaders(options: Options): (name: string) => boolean {
  const own = isRequestHeader(headerNames(options));
  const suggested = isRequestHeader(suggestedHeaders);
  return (name) => own(name) || suggested(name);
}

function headerNames(options: Options): RequestHeaderNames {
  return {
    username: options.requestheaderUsernameHeaders,
    group: options.requestheaderGroupHeaders,
    extraPrefixes: options.requestheaderExtraHeadersPrefix,
  };
}
