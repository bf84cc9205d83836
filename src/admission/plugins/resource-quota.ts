import { forbiddenError, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Quantity } from "../../apimachinery/values/quantity.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";
import type { Measure, QuotaEvaluator } from "../../apis/core/resource-quota/evaluator.js";
import { QuotaEvaluators, scopesOf } from "../../apis/core/resource-quota/evaluators.js";
import type { ResourceQuota, ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { type LimitedResource, readLimitedResources } from "../resource-quota/configuration.js";
import { QuotaAccount } from "../resource-quota/quota-account.js";
import { QuotaUse, statusUnknown } from "../resource-quota/quota-charge.js";
import type { PluginContext } from "./plugin-context.js";

interface QuotaView {
  readonly name: string;
  readonly status: ResourceQuota["status"];
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
}

/**
 * Keeps the objects of a namespace within its quotas, across all servers: raises `status.used` before an object is stored. The
 * controller lowers it.
 */
export function resourceQuota(
  { naming, cluster, now }: Pick<PluginContext, "naming" | "cluster" | "now">,
  configuration: unknown,
): AdmissionPlugin {
  const limits = readLimitedResources(configuration, naming);
  const evaluators = new QuotaEvaluators(naming);
  const quotas = cluster.follow("resourcequotas", {
    view: (stored) => viewOf(stored.decode()),
    indexes: { namespace: (_view, key) => [namespaceOfKey(key)] },
  });
  const account = new QuotaAccount(
    (namespace, name, change) =>
      cluster.updateStatus("resourcequotas", namespace, name, (quota) => {
        quota.status = change(quota.status);
      }),
    (namespace, name) => quotas.get(`${namespace}/${name}`)?.status,
  );
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { namespace, resource, subresource, object, operation } = attributes;
      if (namespace === "" || subresource !== "" || object === undefined) return;
      if (resource.group === "" && resource.resource === "namespaces") return;
      const known = [...quotas.find("namespace", namespace)];
      if (known.length === 0 && limits.length === 0) return;
      const evaluator = evaluators.of(resource);
      if (evaluator === undefined) return;
      if (operation === "UPDATE" && !evaluator.measuresUpdates) return;
      const measure = evaluator.measure(object, now());
      checkLimitedResources(attributes, { limits, known, evaluator, measure });
      const interested = known
        .filter((quota) => isCountedBy(quota, evaluator, measure))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      if (interested.length > 0) checkStated(attributes, interested, evaluator, object);
      const delta = increaseOf(attributes, evaluator, measure, now());
      if (interested.length === 0 || delta.size === 0) return;
      if (attributes.dryRun) return checkRoom(attributes, interested, delta);
      return chargeQuotas(account, attributes, interested, delta);
    },
  };
}

function viewOf({ metadata, spec, status }: ResourceQuota): QuotaView {
  return { name: metadata.name ?? "", status, scopes: scopesOf(spec) };
}

/** Like `chargeQuotas`, but only checks cached quotas. */
function checkRoom(attributes: AdmissionAttributes, quotas: readonly QuotaView[], delta: Amounts): void {
  for (const { name, status } of quotas) {
    const problem = new QuotaUse(name, status).charge(delta);
    if (problem !== undefined) throw refused(attributes, problem);
  }
}

async function chargeQuotas(
  account: QuotaAccount,
  attributes: AdmissionAttributes,
  quotas: readonly QuotaView[],
  delta: Amounts,
): Promise<void> {
  const names = quotas.map(({ name }) => name);
  const problem = await account.charge(attributes.namespace, names, delta);
  if (problem !== undefined) throw refused(attributes, problem);
}

function countedNames({ status }: QuotaView, evaluator: QuotaEvaluator): readonly string[] {
  return Object.keys(status.hard ?? {}).filter((name) => evaluator.counts(name));
}

function isCountedBy(quota: QuotaView, evaluator: QuotaEvaluator, measure: Measure): boolean {
  if (!quota.scopes.every((scope) => measure.matchesScope(scope))) return false;
  return countedNames(quota, evaluator).length > 0;
}

function checkStated(
  attributes: AdmissionAttributes,
  quotas: readonly QuotaView[],
  evaluator: QuotaEvaluator,
  object: ApiObject,
): void {
  const unstated = evaluator.unstated(object);
  for (const quota of quotas) {
    const names = countedNames(quota, evaluator);
    const missing = unstated.size === 0 ? [] : names.filter((name) => unstated.has(name));
    if (missing.length > 0) {
      const list = missing.sort().join(",");
      throw refused(attributes, `failed quota: ${quota.name}: must specify ${list}`);
    }
    if (names.some((name) => quota.status.used?.[name] === undefined)) {
      throw refused(attributes, statusUnknown(quota.name, names));
    }
  }
}

/**
 * What the write takes in addition. An update that takes less lowers nothing here: it may still fail, and others would have been
 * admitted in its place. The controller handles it.
 */
function increaseOf(
  { oldObject }: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  { usage }: Measure,
  now: number,
): Amounts {
  const before = oldObject === undefined ? undefined : evaluator.measure(oldObject, now).usage;
  const result = new Map<string, Quantity>();
  for (const [name, amount] of usage) {
    const old = before?.get(name);
    const more = old === undefined ? amount : amount.sub(old);
    if (more.sign() > 0) result.set(name, more);
  }
  return result;
}

interface LimitCheck {
  readonly limits: readonly LimitedResource[];
  readonly known: readonly QuotaView[];
  readonly evaluator: QuotaEvaluator;
  readonly measure: Measure;
}

/** Throws when an object takes a resource that the configuration limits and no quota covers. */
function checkLimitedResources(
  attributes: AdmissionAttributes,
  { limits, known, evaluator, measure }: LimitCheck,
): void {
  const { group, resource } = attributes.resource;
  const own = limits.filter((limit) => limit.group === group && limit.resource === resource);
  if (own.length === 0) return;
  const parts = own.flatMap(({ matchContains }) => matchContains);
  const covered = new Set(
    known
      .filter((quota) => isCountedBy(quota, evaluator, measure))
      .flatMap((quota) => countedNames(quota, evaluator)),
  );
  const uncovered = [...measure.usage.keys()]
    .filter((name) => parts.some((part) => name.includes(part)) && !covered.has(name))
    .sort();
  if (uncovered.length > 0) {
    throw refused(attributes, `insufficient quota to consume: ${uncovered.join(",")}`);
  }
  const matching = (scopes: readonly ScopedResourceSelectorRequirement[]) =>
    scopes.filter((scope) => measure.matchesScope(scope));
  const ofQuotas = new Set(known.flatMap(({ scopes }) => matching(scopes)).map(({ scopeName }) => scopeName));
  const missing = own
    .flatMap(({ matchScopes }) => matching(matchScopes))
    .filter(({ scopeName }) => !ofQuotas.has(scopeName));
  if (missing.length === 0) return;
  // Kubernetes names no object here.
  const { status } = forbiddenError(attributes.resource, "", "");
  throw new StatusError({
    ...status,
    message: `insufficient quota to match these scopes: [${missing.map(printScope).join(" ")}]`,
  });
}

function printScope({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement): string {
  return `{${scopeName} ${operator} [${values.join(" ")}]}`;
}
