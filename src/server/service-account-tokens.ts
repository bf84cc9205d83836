import { readFile } from "node:fs/promises";
import type { TokenMechanism } from "../access/authentication/authenticator.js";
import { accountUserName } from "../access/authentication/service-account-claims.js";
import {
  createTokenIssuer,
  type ServiceAccountTokenIssuer,
} from "../access/authentication/service-account-issuer.js";
import {
  createServiceAccountMechanism,
  type LookedUpObject,
  type TokenObjectLookup,
} from "../access/authentication/service-account-token.js";
import { parseSigningKey, parseVerifyingKeys, type TokenKey } from "../access/authentication/token-keys.js";
import type { ApiObject } from "../apimachinery/meta.js";
import type { Secret } from "../apis/gen/core-v1.js";
import type { TokenContent } from "../endpoints/operations/service-account-token.js";
import type { Naming } from "../naming/naming.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { forOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";
import type { ServerPki } from "./pki/server-pki.js";

/** Signs and verifies the tokens of service accounts. */
export interface ServiceAccountTokens {
  /** The first one signs. */
  readonly issuers: readonly string[];
  readonly apiAudiences: readonly string[];
  readonly keys: readonly TokenKey[];
  /** Undefined when only others sign. */
  readonly issuer: ServiceAccountTokenIssuer | undefined;
  mechanism(lookup: TokenObjectLookup): TokenMechanism;
}

/** Rejects with an `Error` that names the option whose file cannot be used. */
export async function loadServiceAccountTokens(
  options: Options,
  naming: Naming,
  pki: ServerPki,
): Promise<ServiceAccountTokens> {
  const issuers =
    options.serviceAccountIssuer.length > 0
      ? options.serviceAccountIssuer
      : [`https://${naming.apiServiceName}.default.svc`];
  const apiAudiences = options.apiAudiences.length > 0 ? options.apiAudiences : issuers;
  const { signingKeyFile, publicKeyFiles } = pki.serviceAccountKeys;
  const readKeys = async (file: string) => parseVerifyingKeys(await readFile(file, "utf8"), file);
  const keys = await forOption("service-account-key-file", naming, async () =>
    (await Promise.all(publicKeyFiles.map(readKeys))).flat(),
  );
  // Accepts tokens that a controller signed with the serving key, as clusters without a separate key do.
  const { tlsPrivateKeyFile } = options;
  if (options.serviceAccountKeyFile.length === 0 && tlsPrivateKeyFile !== undefined) {
    // As in Kubernetes, a serving key of an unsuitable kind signs no tokens, which is not an error.
    keys.push(...(await readKeys(tlsPrivateKeyFile).catch(() => [])));
  }
  const { domain } = naming;
  const legacyIssuer = `${naming.vendor}/serviceaccount`;
  const [issuer = ""] = issuers;
  return {
    issuers,
    apiAudiences,
    keys,
    issuer:
      signingKeyFile === undefined
        ? undefined
        : createTokenIssuer({
            issuer,
            legacyIssuer,
            key: await forOption("service-account-signing-key-file", naming, async () =>
              parseSigningKey(await readFile(signingKeyFile, "utf8"), signingKeyFile),
            ),
            domain,
          }),
    mechanism: (lookup) =>
      createServiceAccountMechanism({
        issuers,
        legacyIssuer,
        keys,
        apiAudiences,
        domain,
        extraPrefix: `authentication.${domain}`,
        lookupLegacy: options.serviceAccountLookup,
        lookup,
        now: () => new Date(),
      }),
  };
}

/** Builds the claims of a token. */
export function issueToken(issuer: ServiceAccountTokenIssuer): (content: TokenContent) => Promise<string> {
  return (content) => {
    const issuedAt = Math.floor(content.issuedAt.getTime() / 1000);
    const { warnAfterSeconds } = content;
    return issuer.sign({
      subject: accountUserName(content.namespace, content.account.name),
      audiences: content.audiences,
      issuedAt,
      notBefore: issuedAt,
      expiresAt: issuedAt + content.expirationSeconds,
      namespace: content.namespace,
      account: content.account,
      pod: content.pod,
      secret: content.secret,
      warnAfter: warnAfterSeconds === undefined ? undefined : issuedAt + warnAfterSeconds,
    });
  };
}

/** Reads from the cache, which lags by a moment at most; what is missing there, from the store. */
export function tokenObjectLookup(
  registry: (resource: string) => Pick<ResourceRegistry, "get">,
): TokenObjectLookup {
  const find = async (resource: string, namespace: string, name: string): Promise<ApiObject | undefined> => {
    for (const kind of ["any", "mostRecent"] as const) {
      try {
        return (await registry(resource).get(namespace, name, { kind })).decode();
      } catch (error) {
        if (!isStatus(error, "NotFound")) throw error;
      }
    }
    return undefined;
  };
  const lookedUp = async (resource: string, namespace: string, name: string) => {
    const object = await find(resource, namespace, name);
    return object && describe(object);
  };
  return {
    serviceAccount: (namespace, name) => lookedUp("serviceaccounts", namespace, name),
    pod: (namespace, name) => lookedUp("pods", namespace, name),
    async secret(namespace, name) {
      const object = await find("secrets", namespace, name);
      if (object === undefined) return undefined;
      const token = (object as Secret).data?.token; // the registry of secrets holds nothing else
      return {
        ...describe(object),
        token: token === undefined ? undefined : Buffer.from(token, "base64"),
      };
    },
  };
}

function describe({ metadata }: ApiObject): LookedUpObject {
  const { deletionTimestamp } = metadata;
  return {
    uid: metadata.uid ?? "",
    deletedAt: deletionTimestamp === undefined ? undefined : new Date(deletionTimestamp),
  };
}
