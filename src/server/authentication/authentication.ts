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
import type { AuthenticationInfo } from "../../controllers/cluster-authentication-info.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Dial } from "../../remote/remote-client.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Clock } from "../../time/clock.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { OptionName, Options } from "../options/options.js";
import { AuthorityFiles } from "../pki/authority-files.js";
import type { ServerPki } from "../pki/server-pki.js";
import type { ReloadObserver } from "../settings/reload-metrics.js";
import type { AuthenticationMetrics } from "./authentication-metrics.js";
import { bootstrapTokens } from "./bootstrap-tokens.js";
import { credentialIdKey } from "./credential-id.js";
import { type FrontProxy, loadFrontProxy } from "./front-proxy.js";
import { loadOidc, type Oidc } from "./oidc.js";
import { secretTokenTracking } from "./secret-token-tracking.js";
import { type ServiceAccountTokens, tokenObjectLookup } from "./service-account-tokens.js";
import { type AnonymousRule, StructuredAuthentication } from "./structured-authentication.js";
import { loadTokenWebhook, type TokenWebhook } from "./token-webhook.js";

export interface AuthenticationParts {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly log: Logger;
  readonly clock: Clock;
  readonly pki: ServerPki;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Connects to the webhook; undefined connects directly. */
  readonly dial: Dial | undefined;
  /** Connects to issuers with the egress selection `cluster` in the file of `--authentication-config`. */
  readonly clusterDial: Dial | undefined;
  readonly metrics: AuthenticationMetrics;
  /** Receives reloads of the file of `--authentication-config`. */
  readonly reloaded: ReloadObserver;
}

interface Loaded {
  readonly clientAuthorities: AuthorityFiles;
  readonly frontProxy: FrontProxy | undefined;
  readonly fixedTokens: readonly TokenMechanism[];
  readonly oidc: Oidc | undefined;
  readonly structured: StructuredAuthentication | undefined;
  readonly webhook: TokenWebhook | undefined;
}

/** Authentication of this server. Created before the resource API, which some mechanisms read from. */
export class Authentication {
  readonly #parts: AuthenticationParts;
  readonly #loaded: Loaded;

  private constructor(parts: AuthenticationParts, loaded: Loaded) {
    this.#parts = parts;
    this.#loaded = loaded;
  }

  /** Rejects with an `Error` that names the option whose file cannot be used. */
  static async load(parts: AuthenticationParts): Promise<Authentication> {
    const { options, naming, log, pki, serviceAccountTokens } = parts;
    const frontProxy = await loadFrontProxy(pki.frontProxies, naming, log);
    const clientAuthorities = await AuthorityFiles.open({
      option: "client-ca-file",
      files: pki.clientAuthorityFiles,
      whose: "clients",
      naming,
      log,
    });
    const { tokenAuthFile: file } = options;
    const fixedTokens =
      file === undefined
        ? []
        : await forOption("token-auth-file", naming, async () => [
            createTokenFileMechanism(await readFile(file, "utf8"), (problem) => log.warn(problem)),
          ]);
    const webhook = await loadTokenWebhook(parts, serviceAccountTokens.apiAudiences);
    const oidc = await loadOidc(options, naming, log, parts.metrics.tokenCache);
    const structured = await StructuredAuthentication.load({
      ...parts,
      dials: { controlplane: parts.dial, cluster: parts.clusterDial },
      serviceAccountIssuers: serviceAccountTokens.issuers,
    });
    return new Authentication(parts, {
      clientAuthorities,
      frontProxy,
      fixedTokens,
      oidc,
      structured,
      webhook,
    });
  }

  /**
   * Authenticates bearer tokens, for requests and TokenReviews, in Kubernetes' order.
   */
  tokens(builtin: BuiltinRegistries): TokenAuthenticator {
    const { options, naming, gates, log, serviceAccountTokens, metrics, clock } = this.#parts;
    const mechanisms = [
      ...this.#loaded.fixedTokens,
      serviceAccountTokens.mechanism(tokenObjectLookup(builtin), {
        used: metrics.tokenUsed,
        cacheObserver: metrics.tokenCache,
        tracking: secretTokenTracking({
          builtin,
          naming,
          gates,
          log,
          clock,
          used: metrics.secretTokenUse(gates),
        }),
      }),
      ...(options.enableBootstrapTokenAuth
        ? [bootstrapTokens(naming, () => builtin("secrets"), log, clock)]
        : []),
      ...(this.#loaded.oidc === undefined ? [] : [this.#loaded.oidc.mechanism]),
      ...(this.#loaded.structured === undefined ? [] : [this.#loaded.structured]),
      ...(this.#loaded.webhook === undefined ? [] : [this.#loaded.webhook.mechanism]),
    ];
    return createTokenAuthenticator(mechanisms, serviceAccountTokens.apiAudiences);
  }

  /** All mechanisms, in Kubernetes' order: front proxies, client certificates, tokens. */
  requests(tokens: TokenAuthenticator): RequestAuthenticator {
    const { options, naming, gates, metrics } = this.#parts;
    const certificates = createClientCertificateAuthenticator({
      authorities: this.#loaded.clientAuthorities.authorities,
      now: () => new Date(),
      observe: metrics.certificateSeen,
      credentialIdKey: credentialIdKey(naming, options.apiLevel),
      readsUid: gates.isEnabled("AllowParsingUserUIDFromCertAuth"),
    });
    const mechanisms = [
      ...(this.#loaded.frontProxy === undefined ? [] : [this.#loaded.frontProxy.authenticator]),
      certificates,
      createBearerTokenAuthenticator(tokens),
    ];
    return createAuthenticator(mechanisms);
  }

  /** The rule for anonymous requests in the file of `--authentication-config`, if any. */
  get anonymous(): AnonymousRule | undefined {
    return this.#loaded.structured?.anonymous;
  }

  /** The information published for extension servers. */
  info(): AuthenticationInfo {
    const clientAuthorities = this.#loaded.clientAuthorities.pem;
    const proxy = this.#loaded.frontProxy;
    if (proxy === undefined) return { clientAuthorities, frontProxy: undefined };
    return {
      clientAuthorities,
      frontProxy: {
        authorities: proxy.authorities.pem,
        usernameHeaders: proxy.username,
        groupHeaders: proxy.group,
        uidHeaders: proxy.uid?.length === 0 ? undefined : proxy.uid,
        extraHeaderPrefixes: proxy.extraPrefixes,
        allowedNames: proxy.allowedNames,
      },
    };
  }

  onAuthoritiesChange(listener: () => void): void {
    this.#loaded.clientAuthorities.onChange(listener);
    this.#loaded.frontProxy?.authorities.onChange(listener);
  }

  async close(): Promise<void> {
    this.#loaded.clientAuthorities.close();
    this.#loaded.frontProxy?.authorities.close();
    await Promise.all([
      this.#loaded.oidc?.close(),
      this.#loaded.structured?.close(),
      this.#loaded.webhook?.close(),
    ]);
  }
}
