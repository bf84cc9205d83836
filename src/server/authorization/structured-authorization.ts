import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  type AuthorizationConfiguration,
  readAuthorizationConfiguration,
  type WebhookConfiguration,
} from "../../access/authorization/configuration/authorization-configuration.js";
import {
  type Condition,
  type ConditionContext,
  checkConditions,
  compileCondition,
} from "../../access/authorization/configuration/match-conditions.js";
import {
  type AuthorizerType,
  isAuthorizerType,
  millisecondsOf,
  misnamedProblem,
  validateAuthorizationConfiguration,
} from "../../access/authorization/configuration/validation.js";
import { authorizerUnion } from "../../access/authorization/union.js";
import { WebhookAuthorizer } from "../../access/authorization/webhook-authorizer.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import { parseStrictYaml } from "../../apimachinery/yaml/strict-yaml.js";
import type { Naming } from "../../naming/naming.js";
import type { ConfiguredClient } from "../../remote/configured-client.js";
import type { Dial } from "../../remote/remote-client.js";
import type { Logger } from "../../telemetry/logger.js";
import { openWebhookClient } from "../connections/webhook-client.js";
import { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { type FollowedFile, followConfiguration } from "../settings/followed-file.js";
import type { ReloadObserver } from "../settings/reload-metrics.js";
import { accessReviewWebhook } from "./access-review-webhook.js";
import type { AuthorizationMetrics } from "./authorization-metrics.js";

export interface StructuredAuthorizationParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly log: Logger;
  /** Connects to webhooks; undefined connects directly. */
  readonly dial: Dial | undefined;
  readonly metrics: AuthorizationMetrics;
  readonly reloaded: ReloadObserver;
}

/** One authorizer of the file; a webhook with its connection. */
interface Configured {
  readonly type: AuthorizerType;
  readonly name: string;
  readonly webhook: { readonly authorizer: Authorizer; readonly client: ConfiguredClient } | undefined;
}

/** Authorizers whose informers must exist from the start. */
const followers: readonly AuthorizerType[] = ["Node", "RBAC"];

/** The authorizers in the file of `--authorization-config`, which is reloaded when it changes. */
export class StructuredAuthorization {
  readonly #parts: StructuredAuthorizationParts;
  #configured: readonly Configured[];
  #followed: FollowedFile | undefined;
  #use: (() => void) | undefined;

  private constructor(parts: StructuredAuthorizationParts, configured: readonly Configured[]) {
    this.#parts = parts;
    this.#configured = configured;
  }

  /** Undefined without the option. Rejects with an `Error` that names it. */
  static async load(parts: StructuredAuthorizationParts): Promise<StructuredAuthorization | undefined> {
    const { options, naming, log, reloaded } = parts;
    const { authorizationConfig: file } = options;
    if (file === undefined) return undefined;
    return await forOption("authorization-config", naming, async () => {
      const content = await readFile(file);
      const made = new StructuredAuthorization(parts, await open(await read(content, parts), parts));
      reloaded.started(content);
      if (!isAtLeast(options.apiLevel, "1.30")) return made;
      made.#followed = followConfiguration(content, file, {
        option: "authorization-config",
        replace: async (changed) => await made.#replace(await read(changed, parts)),
        reloaded,
        log,
      });
      return made;
    });
  }

  /** The types in the file at the start. */
  get types(): readonly AuthorizerType[] {
    return [...new Set(this.#configured.map(({ type }) => type))];
  }

  /** An authorizer that uses the file's current authorizers. `builtin` makes those other than webhooks; it is called once per type. */
  authorizer(builtin: (type: AuthorizerType) => Authorizer): Authorizer {
    const made = new Map<AuthorizerType, Authorizer>();
    const authorizerOf = ({ type, name, webhook }: Configured): Authorizer => {
      const one = webhook?.authorizer ?? made.get(type) ?? builtin(type);
      if (webhook === undefined) made.set(type, one);
      return isAtLeast(this.#parts.options.apiLevel, "1.30")
        ? this.#parts.metrics.counted(one, type, name)
        : one;
    };
    let current = authorizerUnion(this.#configured.map(authorizerOf));
    this.#use = () => {
      current = authorizerUnion(this.#configured.map(authorizerOf));
    };
    return {
      authorize: (question) => current.authorize(question),
      rulesFor: (user, namespace) => current.rulesFor(user, namespace),
    };
  }

  async close(): Promise<void> {
    await this.#followed?.close();
    await closeAll(this.#configured);
  }

  async #replace(configuration: AuthorizationConfiguration): Promise<void> {
    const had = new Set(this.types);
    const has = new Set(configuration.authorizers?.map(({ type }) => type));
    const moved = followers.find((type) => had.has(type) !== has.has(type));
    if (moved !== undefined) {
      throw new Error(`authorizers of type ${moved} can only be added and removed by a restart`);
    }
    const former = this.#configured;
    this.#configured = await open(configuration, this.#parts);
    this.#use?.();
    await closeAll(former);
  }
}

/** The types in the file, for parts that need them before the authorizers exist. Rejects with an `Error` that names the option. */
export async function configuredModes(
  options: Options,
  naming: Naming,
): Promise<readonly AuthorizerType[] | undefined> {
  const { authorizationConfig: file } = options;
  if (file === undefined) return undefined;
  return await forOption("authorization-config", naming, async () => {
    const { authorizers = [] } = await read(await readFile(file), { options, naming });
    return [...new Set(authorizers.flatMap(({ type = "" }) => (isAuthorizerType(type) ? [type] : [])))];
  });
}

async function read(
  content: Buffer,
  parts: Pick<StructuredAuthorizationParts, "options" | "naming">,
): Promise<AuthorizationConfiguration> {
  const { options, naming } = parts;
  const { apiLevel: level, authorizationPolicyFile } = options;
  const configuration = readAuthorizationConfiguration(await parseStrictYaml(content), {
    group: naming.group("apiserver.config"),
    level,
  });
  const errors = validateAuthorizationConfiguration(configuration, {
    ...conditionContext(options),
    fileProblem,
  });
  if (errors.length > 0) throw new Error(aggregate(errors));
  const misnamed = misnamedProblem(configuration);
  if (misnamed !== undefined) throw new Error(misnamed);
  const hasPolicies = configuration.authorizers?.some(({ type }) => type === "ABAC") === true;
  if (hasPolicies && authorizationPolicyFile === undefined) {
    throw new Error("authorization-mode ABAC requires --authorization-policy-file");
  }
  return configuration;
}

function conditionContext(options: Options): ConditionContext {
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  return { level: options.apiLevel, hasSelectors: gates.isEnabled("AuthorizeWithSelectors") };
}

function fileProblem(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? undefined : "must be a regular file";
  } catch (error) {
    return `error loading file: ${messageOf(error)}`;
  }
}

async function open(
  { authorizers = [] }: AuthorizationConfiguration,
  parts: StructuredAuthorizationParts,
): Promise<readonly Configured[]> {
  const opened: Configured[] = [];
  try {
    for (const { type = "", name = "", webhook } of authorizers) {
      // The file was validated.
      if (!isAuthorizerType(type)) continue;
      opened.push({ type, name, webhook: webhook && (await openWebhook(name, webhook, parts)) });
    }
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
  return opened;
}

async function openWebhook(name: string, webhook: WebhookConfiguration, parts: StructuredAuthorizationParts) {
  const { options, naming, log, dial, metrics } = parts;
  const { connectionInfo = {}, matchConditions = [], failurePolicy } = webhook;
  if (connectionInfo.type === "InClusterConfig") {
    throw new Error(`${name}: connections of type InClusterConfig are not supported`);
  }
  const client = await openWebhookClient({
    file: connectionInfo.kubeConfigFile ?? "",
    dial,
    log,
    name: `the authorization webhook ${name}`,
  });
  const version = webhook.subjectAccessReviewVersion === "v1" ? "v1" : "v1beta1";
  const conditions = matchConditions.flatMap(({ expression = "" }): Condition[] => {
    const { program } = compileCondition(expression, conditionContext(options));
    return program === undefined ? [] : [{ expression, program }];
  });
  const ttl = (text: string | undefined, isCached = true): number =>
    isCached ? (millisecondsOf(text) ?? 0) : 0;
  const authorizer = new WebhookAuthorizer({
    post: accessReviewWebhook(parts, { client, version, timeoutMs: millisecondsOf(webhook.timeout) ?? 0 }),
    group: naming.group("authorization"),
    version,
    authorizedTtlMs: ttl(webhook.authorizedTTL, webhook.cacheAuthorizedRequests),
    unauthorizedTtlMs: ttl(webhook.unauthorizedTTL, webhook.cacheUnauthorizedRequests),
    now: () => performance.now(),
    onError: failurePolicy === "Deny" ? "deny" : "noOpinion",
    conditions: conditions.length === 0 ? undefined : (question) => checkConditions(conditions, question),
    observer: isAtLeast(options.apiLevel, "1.30") ? metrics.webhookObserver(name) : undefined,
    onFailure: (error) =>
      log.warn("an authorization webhook did not answer", { name, problem: error.message }),
  });
  return { authorizer, client };
}

async function closeAll(configured: readonly Configured[]): Promise<void> {
  await Promise.all(configured.map(({ webhook }) => webhook?.client.close()));
}
