import { readFile } from "node:fs/promises";
import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import { createClientCertificateAuthenticator } from "../../access/authentication/client-certificate.js";
import { createTokenFileMechanism } from "../../access/authentication/token-file.js";
import {
  createBearerTokenAuthenticator,
  createTokenAuthenticator,
  type TokenAuthenticator,
} from "../../access/authentication/token-union.js";
import { createAuthenticator, type RequestAuthenticator } from "../../access/authentication/union.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { Logger } from "../../telemetry/logger.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { AuthorityFiles } from "../pki/authority-files.js";
import type { ServerPki } from "../pki/server-pki.js";
import { type ServiceAccountTokens, tokenObjectLookup } from "../service-account-tokens.js";
import { type FrontProxy, loadFrontProxy } from "./front-proxy.js";

export interface AuthenticationParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly log: Logger;
  readonly pki: ServerPki;
  readonly serviceAccountTokens: ServiceAccountTokens;
}

/** How this server finds out who asks. Made before the resource API, parts of which some mechanisms look into. */
export class Authentication {
  readonly #parts: AuthenticationParts;
  readonly #clientAuthorities: AuthorityFiles;
  readonly #frontProxy: FrontProxy | undefined;
  readonly #fixedTokens: readonly TokenMechanism[];

  private constructor(
    parts: AuthenticationParts,
    loaded: {
      readonly clientAuthorities: AuthorityFiles;
      readonly frontProxy: FrontProxy | undefined;
      readonly fixedTokens: readonly TokenMechanism[];
    },
  ) {
    this.#parts = parts;
    this.#clientAuthorities = loaded.clientAuthorities;
    this.#frontProxy = loaded.frontProxy;
    this.#fixedTokens = loaded.fixedTokens;
  }

  /** Rejects with an `Error` that names the option whose file cannot be used. */
  static async load(parts: AuthenticationParts): Promise<Authentication> {
    const { options, naming, log, pki } = parts;
    const frontProxy = await loadFrontProxy(options, naming, log);
    const clientAuthorities = await forOption("client-ca-file", naming, async () => {
      return new AuthorityFiles({
        files: pki.clientAuthorityFiles,
        onError: (error) => log.error("the authorities of clients could not be read again", error),
      });
    });
    const { tokenAuthFile: file } = options;
    const fixedTokens =
      file === undefined
        ? []
        : await forOption("token-auth-file", naming, async () => [
            createTokenFileMechanism(await readFile(file, "utf8"), (problem) => log.warn(problem)),
          ]);
    return new Authentication(parts, { clientAuthorities, frontProxy, fixedTokens });
  }

  /** Bearer tokens alone, for requests and TokenReviews. `registry` finds one of the core group. */
  tokens(registry: (resource: string) => ResourceRegistry): TokenAuthenticator {
    const { serviceAccountTokens } = this.#parts;
    const mechanisms = [...this.#fixedTokens, serviceAccountTokens.mechanism(tokenObjectLookup(registry))];
    return createTokenAuthenticator(mechanisms, serviceAccountTokens.apiAudiences);
  }

  /** Everything, in the order of Kubernetes: front proxies, client certificates, tokens. */
  requests(tokens: TokenAuthenticator): RequestAuthenticator {
    const certificates = createClientCertificateAuthenticator(
      this.#clientAuthorities.authorities,
      () => new Date(),
    );
    const mechanisms = [
      ...(this.#frontProxy === undefined ? [] : [this.#frontProxy.authenticator]),
      certificates,
      createBearerTokenAuthenticator(tokens),
    ];
    return createAuthenticator(mechanisms, this.#parts.options.anonymousAuth);
  }

  close(): void {
    this.#clientAuthorities.close();
    this.#frontProxy?.authorities.close();
  }
}
