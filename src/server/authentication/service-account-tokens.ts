import { readFile } from "node:fs/promises";
import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import { accountUserName } from "../../access/authentication/service-account-claims.js";
import {
  type ClaimsSigner,
  createTokenIssuer,
  keySigner,
  type ServiceAccountTokenIssuer,
} from "../../access/authentication/service-account-issuer.js";
import type {
  LookedUpObject,
  ServiceAccountTokenSettings,
  TokenObjectLookup,
} from "../../access/authentication/service-account-settings.js";
import { createServiceAccountMechanism } from "../../access/authentication/service-account-token.js";
import {
  fixedTokenKeys,
  parseSigningKey,
  parseVerifyingKeys,
  type TokenKeys,
} from "../../access/authentication/token-keys.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Secret, ServiceAccount } from "../../apis/gen/core-v1.js";
import type { TokenContent } from "../../endpoints/operations/service-account-token.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { type Clock, dateOf } from "../../time/clock.js";
import type { Closing } from "../lifecycle/closing.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import type { ServerPki } from "../pki/server-pki.js";
import { openExternalSigner } from "./external-signer.js";

/** Signs and verifies the tokens of service accounts. */
export interface ServiceAccountTokens {
  /** The first one signs. */
  readonly issuers: readonly string[];
  readonly apiAudiences: readonly string[];
  readonly keys: TokenKeys;
  /** Undefined if other servers or an external signer issue the tokens. */
  readonly issuer: ServiceAccountTokenIssuer | undefined;
  /** Whether it also signs tokens for secrets, which never expire. */
  readonly signsForSecrets: boolean;
  /** The longest validity that may be requested; 0 means no limit. */
  readonly maxExpirationSeconds: number;
  /** Lifetime of tokens that admission injects into pods, if it is extended. */
  readonly extendedExpirationSeconds: number;
  mechanism(
    lookup: TokenObjectLookup,
    observers: Pick<ServiceAccountTokenSettings, "used" | "cacheObserver" | "tracking">,
  ): TokenMechanism;
}

export interface ServiceAccountTokensInputs {
  readonly options: Options;
  readonly naming: Naming;
  readonly pki: ServerPki;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly closing: Closing;
  readonly gates: FeatureGates;
}

/** Rejects with an `Error` that names the option that cannot be followed. */
export async function loadServiceAccountTokens(
  inputs: ServiceAccountTokensInputs,
): Promise<ServiceAccountTokens> {
  const { options, naming, clock, gates } = inputs;
  const issuers =
    options.serviceAccountIssuer.length > 0
      ? options.serviceAccountIssuer
      : [`https://${naming.apiServiceName}.default.svc`];
  const named = [...options.apiAudiences, ...options.serviceAccountApiAudiences];
  const apiAudiences = named.length > 0 ? named : issuers;
  const { domain } = naming;
  const legacyIssuer = `${naming.vendor}/serviceaccount`;
  const [issuer = ""] = issuers;
  const signing = (await signingElsewhere(inputs)) ?? (await signingWithKeys(inputs));
  const { keys, sign, ...limits } = signing;
  return {
    issuers,
    apiAudiences,
    keys,
    issuer: sign && createTokenIssuer({ issuer, legacyIssuer, sign, domain }),
    ...limits,
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
          ids: gates.isEnabled("ServiceAccountTokenJTI"),
          nodesOfPods: gates.isEnabled("ServiceAccountTokenPodNodeInfo"),
          boundNodes: gates.isEnabled("ServiceAccountTokenNodeBindingValidation"),
        },
        now: dateOf(clock),
        ...observers,
      }),
  };
}

interface Signing
  extends Pick<
    ServiceAccountTokens,
    "keys" | "signsForSecrets" | "maxExpirationSeconds" | "extendedExpirationSeconds"
  > {
  readonly sign: ClaimsSigner | undefined;
}

const yearSeconds = 365 * 24 * 3600;

async function signingWithKeys({ options, naming, pki }: ServiceAccountTokensInputs): Promise<Signing> {
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
  const readSigner = async (file: string): Promise<ClaimsSigner> =>
    keySigner(parseSigningKey(await readFile(file, "utf8"), file));
  return {
    keys: fixedTokenKeys(keys, options.apiLevel),
    sign:
      signingKeyFile === undefined
        ? undefined
        : await forOption("service-account-signing-key-file", naming, () => readSigner(signingKeyFile)),
    signsForSecrets: true,
    maxExpirationSeconds: Math.floor(options.serviceAccountMaxTokenExpirationMs / 1000),
    extendedExpirationSeconds: yearSeconds,
  };
}

/** Undefined without an external signer, which does not issue tokens without expiry. */
async function signingElsewhere({
  options,
  naming,
  metrics,
  log,
  closing,
}: ServiceAccountTokensInputs): Promise<Signing | undefined> {
  const { serviceAccountSigningEndpoint: endpoint, apiLevel: level } = options;
  if (endpoint === undefined) return undefined;
  return await forOption("service-account-signing-endpoint", naming, async () => {
    const signer = await openExternalSigner({ endpoint, level, metrics, log, closing });
    const limit = signer.maxExpirationSeconds;
    const asked = Math.floor(options.serviceAccountMaxTokenExpirationMs / 1000);
    if (asked > limit) {
      throw new Error(
        `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${asked}s > ${limit}s`,
      );
    }
    return {
      ...signer,
      signsForSecrets: false,
      maxExpirationSeconds: asked === 0 ? limit : asked,
      extendedExpirationSeconds: Math.min(limit, yearSeconds),
    };
  });
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

/** Reads from the cache, which may lag slightly, and from the store if an object is missing. */
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

/** Computed once per stored object, which never changes: every request with a token reads the same few objects. */
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
