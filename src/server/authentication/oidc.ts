import { OidcMechanism } from "../../access/authentication/oidc/oidc-token.js";
import { usernamePrefix, userOfClaims } from "../../access/authentication/oidc/user-claims.js";
import type { TokenCacheObserver } from "../../access/authentication/token-verdicts.js";
import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Options } from "../options/options.js";
import { AuthorityFiles } from "../pki/authority-files.js";
import { credentialIdKey } from "./credential-id.js";

export interface Oidc {
  readonly mechanism: OidcMechanism;
  close(): Promise<void>;
}

/** Undefined without `--oidc-issuer-url`. Rejects with an `Error` that names the option whose file cannot be used. */
export async function loadOidc(
  options: Options,
  naming: Naming,
  log: Logger,
  cacheObserver: TokenCacheObserver,
): Promise<Oidc | undefined> {
  const { oidcIssuerUrl: issuer, oidcClientId: clientId, oidcCaFile: caFile } = options;
  if (issuer === undefined || clientId === undefined) return undefined;
  const authorities =
    caFile === undefined
      ? undefined
      : await AuthorityFiles.open({
          option: "oidc-ca-file",
          files: [caFile],
          whose: "--oidc-ca-file",
          naming,
          log,
        });
  const usernameClaim = options.oidcUsernameClaim;
  const mapping = {
    usernameClaim,
    usernamePrefix: usernamePrefix(options.oidcUsernamePrefix, { issuer, usernameClaim }),
    groupsClaim: options.oidcGroupsClaim,
    groupsPrefix: options.oidcGroupsPrefix ?? "",
    requiredClaims: options.oidcRequiredClaim,
    credentialIdKey: credentialIdKey(naming, options.apiLevel),
  };
  const mechanism = new OidcMechanism({
    issuer,
    audiences: [clientId],
    algorithms: options.oidcSigningAlgs,
    caPem: () => authorities?.pem,
    userOf: (claims) => userOfClaims(claims, mapping),
    distributedClaim: options.oidcGroupsClaim,
    now: () => new Date(),
    cacheObserver,
    onProblem: (problem) => log.warn("the OpenID Connect provider cannot be used yet", { problem }),
  });
  // The provider may run on this cluster, so the start does not wait for it.
  void mechanism.start();
  return {
    mechanism,
    async close() {
      authorities?.close();
      await mechanism.stop();
    },
  };
}
