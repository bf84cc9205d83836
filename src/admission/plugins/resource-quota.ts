import { forbiddenError, StatusError } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";
import { chargedHere, type Measure, type QuotaEvaluator } from "../../apis/core/resource-quota/evaluator.js";
import { QuotaEvaluators, scopesOf } from "../../apis/core/resource-quota/evaluators.js";
import type { ResourceQuota, ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";
import type { Lister } from "../../informers/informer.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { isNamespace } from "../matching/match.js";
import { type Charge, chargesFor, differs } from "../resource-quota/charges.js";
import { type LimitedResource, readLimitedResources } from "../resource-quota/configuration.js";
import { QuotaAccount } from "../resource-quota/quota-account.js";
import { QuotaUse, statusUnknown } from "../resource-quota/quota-charge.js";
import type { PluginContext } from "./plugin-context.js";
import { followDevices } from "./quota-devices.js";

interface QuotaView {
  readonly name: string;
  readonly status: ResourceQuota["status"];
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
}

type Context = Pick<PluginContext, "naming" | "cluster" | "now" | "level" | "isEnabled">;

/**
 * Keeps the objects of a namespace within its quotas, across all servers: raises `status.used` before an object is stored. The
 * controller lowers it.
 */
export function resourceQuota(context: Context, configuration: unknown): AdmissionPlugin {
  return new ResourceQuotas(context, readLimitedResources(configuration, context.naming));
}

class ResourceQuotas implements AdmissionPlugin {
  readonly operations = ["CREATE", "UPDATE"] as const;
  readonly #cluster: Context["cluster"];
  readonly #now: Context["now"];
  readonly #limits: readonly LimitedResource[];
  readonly #evaluators: QuotaEvaluators;
  readonly #quotas: Lister<QuotaView, "namespace">;
  readonly #account: QuotaAccount;
  readonly #followsScopes: boolean;
  readonly #namesContainers: boolean;

  constructor(context: Context, limits: readonly LimitedResource[]) {
    const { naming, cluster, now, level } = context;
    this.#cluster = cluster;
    this.#now = now;
    this.#limits = limits;
    this.#evaluators = new QuotaEvaluators(context, () => followDevices(cluster, naming));
    this.#quotas = cluster.follow("resourcequotas", {
      view: (stored) => viewOf(stored.decode()),
      indexes: { namespace: (_view, key) => [namespaceOfKey(key)] },
    });
    this.#account = new QuotaAccount(
      (namespace, name, change) => this.#changeStatus(namespace, name, change),
      (namespace, name) => this.#quotas.get(`${namespace}/${name}`)?.status,
    );
    this.#followsScopes = isAtLeast(level, "1.33");
    this.#namesContainers = isAtLeast(level, "1.24");
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const { namespace, resource, subresource, object, oldObject, operation } = attributes;
    if (namespace === "" || object === undefined) return;
    if (subresource !== "" && operation !== "UPDATE") return;
    if (isNamespace(attributes)) return;
    const known = [...this.#quotas.find("namespace", namespace)];
    if (known.length === 0 && this.#limits.length === 0) return;
    const evaluator = this.#evaluators.of(resource);
    if (evaluator === undefined) return;
    if (operation === "UPDATE") {
      if (oldObject === undefined) return;
      if (!evaluator.measuresUpdate({ subresource, object, old: oldObject })) return;
    }
    const at = this.#now();
    const measure = evaluator.measure(object, at);
    const before = oldObject && evaluator.measure(oldObject, at);
    const measured = { object, known, evaluator, measure, before };
    if (measure.chargedElsewhere === undefined && before?.chargedElsewhere === undefined) {
      return this.#admit(attributes, measured);
    }
    return Promise.all([chargedHere(measure, at), before && chargedHere(before, at)]).then(
      ([measure, before]) => this.#admit(attributes, { ...measured, measure, before }),
    );
  }

  /** Most writes change no quota, and need not wait. */
  #admit(attributes: AdmissionAttributes, measured: Measured): Promise<void> | undefined {
    const { object, known, evaluator, measure, before } = measured;
    const interested = known
      .filter((quota) => isCountedBy(quota, evaluator, measure))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (interested.length > 0) {
      const namesContainers = this.#namesContainers;
      checkStated(attributes, interested, { evaluator, object, namesContainers });
    }
    const limits = this.#limits;
    if (limits.length > 0 && differs(measure, before)) {
      checkLimitedResources(attributes, { limits, known, evaluator, measure });
    }
    const charges = chargesFor(interested, { measure, before, followsScopes: this.#followsScopes });
    return charges.length === 0 ? undefined : this.#chargeAll(attributes, charges);
  }

  async #chargeAll(attributes: AdmissionAttributes, charges: readonly Charge<QuotaView>[]): Promise<void> {
    const { namespace, subresource, dryRun } = attributes;
    for (const { quotas, delta } of charges) {
      if (dryRun) checkRoom(attributes, quotas, delta);
      else if (subresource === "status") await this.#addUse(namespace, quotas, delta);
      // An earlier charge stays until the controller recounts, as for any write that fails later.
      else await this.#charge(attributes, quotas, delta);
    }
  }

  async #charge(
    attributes: AdmissionAttributes,
    quotas: readonly QuotaView[],
    delta: Amounts,
  ): Promise<void> {
    const names = quotas.map(({ name }) => name);
    const problem = await this.#account.charge(attributes.namespace, names, delta);
    if (problem !== undefined) throw refused(attributes, problem);
  }

  /** What a status reports has already happened, so it is charged without a check. */
  async #addUse(namespace: string, quotas: readonly QuotaView[], delta: Amounts): Promise<void> {
    for (const { name } of quotas) {
      await this.#changeStatus(namespace, name, (status) => {
        const use = new QuotaUse(name, status);
        use.add(delta);
        return use.status;
      });
    }
  }

  #changeStatus(namespace: string, name: string, change: StatusChange): Promise<void> {
    return this.#cluster.updateStatus("resourcequotas", namespace, name, (quota) => {
      quota.status = change(quota.status);
    });
  }
}

type StatusChange = (status: ResourceQuota["status"]) => ResourceQuota["status"];

function viewOf({ metadata, spec, status }: ResourceQuota): QuotaView {
  return { name: metadata.name ?? "", status, scopes: scopesOf(spec) };
}

/** For a dry run, which charges nothing: throws 403 if a quota lacks room by its last known use. */
function checkRoom(attributes: AdmissionAttributes, quotas: readonly QuotaView[], delta: Amounts): void {
  for (const { name, status } of quotas) {
    const problem = new QuotaUse(name, status).problemWith(delta);
    if (problem !== undefined) throw refused(attributes, problem);
  }
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
  { evaluator, object, namesContainers }: Stated,
): void {
  const unstated = evaluator.unstated(object);
  for (const quota of quotas) {
    const names = countedNames(quota, evaluator);
    const missing = unstated.size === 0 ? [] : names.filter((name) => unstated.has(name));
    if (missing.length > 0) {
      const text = unstatedText(missing.sort(), namesContainers ? unstated : undefined);
      throw refused(attributes, `failed quota: ${quota.name}: must specify ${text}`);
    }
    if (names.some((name) => quota.status.used?.[name] === undefined)) {
      throw refused(attributes, statusUnknown(quota.name, names));
    }
  }
}

interface Stated {
  readonly evaluator: QuotaEvaluator;
  readonly object: ApiObject;
  readonly namesContainers: boolean;
}

/** `cpu,memory`, or with the containers that lack them `cpu for: a,b; memory for: a`. */
function unstatedText(
  names: readonly string[],
  containers: ReadonlyMap<string, readonly string[]> | undefined,
): string {
  if (containers === undefined) return names.join(",");
  const listOf = (name: string): string => [...new Set(containers.get(name))].sort().join(",");
  return names.map((name) => `${name} for: ${listOf(name)}`).join("; ");
}

/** An object and its usage. */
interface Measured {
  readonly object: ApiObject;
  readonly known: readonly QuotaView[];
  readonly evaluator: QuotaEvaluator;
  readonly measure: Measure;
  /** Undefined for an object that is new. */
  readonly before: Measure | undefined;
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
  const uncovered = [...measure.usage]
    .filter(([name, amount]) => amount.sign() > 0 && parts.some((part) => name.includes(part)))
    .map(([name]) => name)
    .filter((name) => !covered.has(name))
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
