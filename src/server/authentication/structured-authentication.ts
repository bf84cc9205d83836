import { readFile } from "node:fs/promises";
import {
  type AuthenticationResult,
  noCredentials,
  type TokenMechanism,
} from "../../access/authentication/authenticator.js";
import {
  type AuthenticationConfiguration,
  type JwtAuthenticator,
  readAuthenticationConfiguration,
} from "../../access/authentication/configuration/authentication-configuration.js";
import { createJwtUser } from "../../access/authentication/configuration/jwt-user.js";
import {
  type ValidationContext,
  validateAuthenticationConfiguration,
} from "../../access/authentication/configuration/validation.js";
import { issuerOf } from "../../access/authentication/oidc/id-token.js";
import { OidcMechanism } from "../../access/authentication/oidc/oidc-token.js";
import { signingAlgorithms } from "../../access/authentication/oidc/signing-algorithms.js";
import { unverifiedClaims } from "../../access/authentication/unverified-claims.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseStrictYaml } from "../../apimachinery/yaml/strict-yaml.js";
import type { Naming } from "../../naming/naming.js";
import type { Dial } from "../../remote/remote-client.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Logger } from "../../telemetry/logger.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { OptionName, Options } from "../options/options.js";
import { type FollowedFile, followConfiguration } from "../settings/followed-file.js";
import type { ReloadObserver } from "../settings/reload-metrics.js";
import type { AuthenticationMetrics } from "./authentication-metrics.js";
import { credentialIdKey } from "./credential-id.js";

export interface StructuredAuthenticationParts {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly log: Logger;
  readonly metrics: AuthenticationMetrics;
  readonly reloaded: ReloadObserver;
  /** Proxies, by their names in the file. */
  readonly dials: { readonly controlplane: Dial | undefined; readonly cluster: Dial | undefined };
  readonly serviceAccountIssuers: readonly string[];
}

/** Where anonymous requests are permitted. */
export interface AnonymousRule {
  readonly enabled: boolean;
  /** Empty: everywhere. */
  readonly paths: ReadonlySet<string>;
}

/** How long the issuers of a changed file may be unreachable before the change is given up. */
const readyMs = 60_000;
const readyCheckMs = 200;

/** The authenticators in the file of `--authentication-config`, which is reloaded when it changes. */
export class StructuredAuthentication implements TokenMechanism {
  /** Undefined when the file does not say. Read only at the start, as in Kubernetes. */
  readonly anonymous: AnonymousRule | undefined;
  readonly #parts: StructuredAuthenticationParts;
  readonly #closing = new AbortController();
  #mechanisms: ReadonlyMap<string, OidcMechanism>;
  #followed: FollowedFile | undefined;

  private constructor(parts: StructuredAuthenticationParts, configuration: AuthenticationConfiguration) {
    const { anonymous } = configuration;
    this.#parts = parts;
    this.#mechanisms = this.#start(configuration).mechanisms;
    this.anonymous = anonymous && {
      enabled: anonymous.enabled === true,
      paths: new Set(anonymous.conditions?.map(({ path = "" }) => path)),
    };
  }

  /** Undefined without the option. Rejects with an `Error` that names it. */
  static async load(parts: StructuredAuthenticationParts): Promise<StructuredAuthentication | undefined> {
    const { options, given, naming, log, reloaded } = parts;
    const { authenticationConfig: file } = options;
    if (file === undefined) return undefined;
    return await forOption("authentication-config", naming, async () => {
      const content = await readFile(file);
      const configuration = await read(content, parts);
      if (configuration.anonymous !== undefined && given.has("anonymous-auth")) {
        throw new Error(
          "--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file",
        );
      }
      const made = new StructuredAuthentication(parts, configuration);
      reloaded.started(content);
      if (!isAtLeast(options.apiLevel, "1.30")) return made;
      made.#followed = followConfiguration(content, file, {
        option: "authentication-config",
        replace: async (changed) => await made.#replace(await read(changed, parts, configuration)),
        reloaded,
        log,
      });
      return made;
    });
  }

  authenticate(
    token: string,
    asked?: Parameters<TokenMechanism["authenticate"]>[1],
  ): AuthenticationResult | Promise<AuthenticationResult> {
    if (this.#mechanisms.size === 0) return noCredentials;
    const issuer = issuerOf(unverifiedClaims(token)) ?? "";
    const mechanism = this.#mechanisms.get(issuer);
    return mechanism?.authenticate(token, asked) ?? noCredentials;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#followed?.close();
    await stopAll(this.#mechanisms);
  }

  async #replace(configuration: AuthenticationConfiguration): Promise<void> {
    const { mechanisms, started } = this.#start(configuration);
    try {
      await started;
      await untilReady(mechanisms, this.#closing.signal);
    } catch (error) {
      await stopAll(mechanisms);
      throw error;
    }
    const former = this.#mechanisms;
    this.#mechanisms = mechanisms;
    await stopAll(former);
  }

  #start({ jwt = [] }: AuthenticationConfiguration) {
    const mechanisms = new Map(jwt.map((one) => [one.issuer?.url ?? "", this.#mechanismOf(one)]));
    // A provider may run on this cluster, so the start does not wait for it.
    const started = Promise.all([...mechanisms.values()].map((mechanism) => mechanism.start()));
    return { mechanisms, started };
  }

  #mechanismOf(authenticator: JwtAuthenticator): OidcMechanism {
    const { options, naming, gates, log, metrics, dials } = this.#parts;
    const { issuer = {}, claimMappings = {} } = authenticator;
    const { url = "", discoveryURL = "", certificateAuthority = "", egressSelectorType } = issuer;
    const groupsClaim = claimMappings.groups?.claim ?? "";
    const level = options.apiLevel;
    const issuerHash = labelHash(url);
    return new OidcMechanism({
      issuer: url,
      discoveryUrl: discoveryURL === "" ? undefined : discoveryURL,
      audiences: issuer.audiences ?? [],
      algorithms: signingAlgorithms,
      caPem: () => (certificateAuthority === "" ? undefined : certificateAuthority),
      userOf: createJwtUser(authenticator, {
        level,
        credentialIdKey: credentialIdKey(naming, level),
      }),
      distributedClaim: groupsClaim === "" ? undefined : groupsClaim,
      dial:
        egressSelectorType === "controlplane" || egressSelectorType === "cluster"
          ? dials[egressSelectorType]
          : undefined,
      now: () => new Date(),
      observe: metrics.jwtObserver(issuerHash),
      observeKeys: gates.isEnabled("StructuredAuthenticationConfigurationJWKSMetrics")
        ? metrics.keysObserver(issuerHash)
        : undefined,
      cacheObserver: metrics.tokenCache,
      onProblem: (problem) =>
        log.warn("the OpenID Connect provider cannot be used yet", { issuer: url, problem }),
    });
  }
}

async function read(
  content: Buffer,
  { options, naming, gates, serviceAccountIssuers }: StructuredAuthenticationParts,
  initial?: AuthenticationConfiguration,
): Promise<AuthenticationConfiguration> {
  const configuration = readAuthenticationConfiguration(await parseStrictYaml(content), {
    group: naming.group("apiserver.config"),
    level: options.apiLevel,
  });
  const context: ValidationContext = {
    level: options.apiLevel,
    isEnabled: gates.isEnabled,
    disallowedIssuers: serviceAccountIssuers,
    reservedDomains: [...new Set([naming.groupDomain, naming.domain])],
    initial,
  };
  const errors = validateAuthenticationConfiguration(configuration, context);
  if (errors.length > 0) throw new Error(aggregate(errors));
  return configuration;
}

/** Rejects when one of the providers is unreachable for too long. */
async function untilReady(
  mechanisms: ReadonlyMap<string, OidcMechanism>,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + readyMs;
  for (;;) {
    const missing = [...mechanisms].find(([, { isReady }]) => !isReady);
    if (missing === undefined) return;
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new Error(`oidc: authenticator for issuer ${JSON.stringify(missing[0])} is not initialized`);
    await new Promise((resolve) => setTimeout(resolve, readyCheckMs).unref());
  }
}

async function stopAll(mechanisms: ReadonlyMap<string, OidcMechanism>): Promise<void> {
  await Promise.all([...mechanisms.values()].map((mechanism) => mechanism.stop()));
}
