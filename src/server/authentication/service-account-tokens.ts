import { readFile } from "node:fs/promises";
import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import { accountUserName } from "../../access/authentication/service-account-claims.js";
import {
  createTokenIssuer,
  type ServiceAccountTokenIssuer,
} from "../../access/authentication/service-account-issuer.js";
import {
  createServiceAccountMechanism,
  type LookedUpObject,
  type ServiceAccountTokenSettings,
  type TokenObjectLookup,
} from "../../access/authentication/service-account-token.js";
import {
  parseSigningKey,
  parseVerifyingKeys,
  type TokenKey,
} from "../../access/authentication/token-keys.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Secret, ServiceAccount } from "../../apis/gen/core-v1.js";
import type { TokenContent } from "../../endpoints/operations/service-account-token.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type Clock, dateOf } from "../../time/clock.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import type { ServerPki } from "../pki/server-pki.js";

/** Signs and verifies the tokens of service accounts. */
export interface ServiceAccountTokens {
  /** The first one signs. */
  readonly issuers: readonly string[];
  readonly apiAudiences: readonly string[];
  readonly keys: readonly TokenKey[];
  /** Undefined when only others sign. */
  readonly issuer: ServiceAccountTokenIssuer | undefined;
  mechanism(
    lookup: TokenObjectLookup,
    observers: Pick<ServiceAccountTokenSettings, "used" | "cacheObserver" | "tracking">,
  ): TokenMechanism;
}

/** Rejects with an `Error` that names the option whose file cannot be used. */
export async function loadServiceAccountTokens({
  options,
  naming,
  pki,
  clock,
  isEnabled,
}: {
  readonly options: Options;
  readonly naming: Naming;
  readonly pki: ServerPki;
  readonly clock: Clock;
  readonly isEnabled: (gate: FeatureGateName) => boolean;
}): Promise<ServiceAccountTokens> {
  const issuers =
    options.serviceAccountIssuer.length > 0
      ? options.serviceAccountIssuer
      : [`https://${naming.apiServiceName}.default.svc`];
  const named = [...options.apiAudiences, ...options.serviceAccountApiAudiences];
  const apiAudiences = named.length > 0 ? named : issuers;
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
    mechanism: (lookup, observers) =>
      createServiceAccountMechanism({
        issuers,
        legacyIssuer,
        keys,
        apiAudiences,
        domain,
        extraPrefix: `authentication.${domain}`,
        annotationPrefix: naming.group("authentication"),
        lookupLegacy: options.serviceAccountLookup,
        lookup,
        reads: {
          ids: isEnabled("ServiceAccountTokenJTI"),
          nodesOfPods: isEnabled("ServiceAccountTokenPodNodeInfo"),
          boundNodes: isEnabled("ServiceAccountTokenNodeBindingValidation"),
        },
        now: dateOf(clock),
        ...observers,
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
      node: content.node,
      id: content.id,
      warnAfter: warnAfterSeconds === undefined ? undefined : issuedAt + warnAfterSeconds,
    });
  };
}

/** Reads from the cache, which lags by a moment at most; falls back to the store for missing objects. */
export function tokenObjectLookup(builtin: BuiltinRegistries): TokenObjectLookup {
  const find = async <T extends ApiObject, R>(
    registry: ResourceRegistry<T>,
    [namespace, name]: readonly [string, string],
    read: (stored: StoredObject<T>) => R,
  ): Promise<R | undefined> => {
    const found =
      (await registry.find(namespace, name, { kind: "any" })) ??
      (await registry.find(namespace, name, { kind: "mostRecent" }));
    return found && read(found);
  };
  const described = onceEach(describe);
  const describedAccount = onceEach((account: ServiceAccount) => ({
    ...describe(account),
    secrets: new Set((account.secrets ?? []).map(({ name = "" }) => name)),
  }));
  const describedSecret = onceEach((secret: Secret) => {
    const token = secret.data?.token;
    return {
      ...describe(secret),
      labels: secret.metadata.labels ?? {},
      token: token === undefined ? undefined : Buffer.from(token, "base64"),
    };
  });
  return {
    serviceAccount: (...of) => find(builtin("serviceaccounts"), of, describedAccount),
    pod: (...of) => find(builtin("pods"), of, described),
    secret: (...of) => find(builtin("secrets"), of, describedSecret),
    node: (name) => find(builtin("nodes"), ["", name], described),
  };
}

/** Stored objects do not change, and every request with a token reads the same few. */
function onceEach<T extends ApiObject, R>(read: (object: T) => R): (stored: StoredObject<T>) => R {
  const known = new WeakMap<StoredObject<T>, R>();
  return (stored) => {
    const before = known.get(stored);
    if (before !== undefined) return before;
    const value = read(stored.decode());
    known.set(stored, value);
    return value;
  };
}

function describe({ metadata }: ApiObject): LookedUpObject {
  const { deletionTimestamp } = metadata;
  return {
    uid: metadata.uid ?? "",
    deletedAt: deletionTimestamp === undefined ? undefined : new Date(deletionTimestamp),
  };
}
