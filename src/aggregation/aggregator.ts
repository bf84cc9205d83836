import { isStatus } from "../apimachinery/errors/status.js";
import { withCondition } from "../apimachinery/objects/conditions.js";
import { timestamp } from "../apimachinery/values/time.js";
import { partStrategy } from "../apis/definition/resource-definition.js";
import type { APIService, APIServiceCondition } from "../apis/gen/apiregistration-v1.js";
import { type Controller, type ControllerContext, serverWrite } from "../controllers/controller.js";
import { WorkQueue } from "../controllers/work-queue.js";
import type { CatalogSource } from "../endpoints/catalog/resource-offer.js";
import { type Following, follow } from "../informers/follow.js";
import { type Availability, ExtensionService, type ExtensionServiceParts } from "./extension-service.js";
import { groupVersionOf } from "./group-version-of.js";
import { serviceAddresses } from "./service-addresses.js";
import type { ServiceBackends } from "./service-backends.js";

export interface AggregatorOptions extends Omit<ExtensionServiceParts, "spec"> {
  readonly catalog: CatalogSource;
  readonly backends: ServiceBackends;
  readonly metrics: AvailabilityMetrics;
}

/** Called after each check that changes the state. */
export interface AvailabilityMetrics {
  available(name: string): void;
  unavailable(name: string, reason: string): void;
  gone(name: string): void;
}

const recheckMs = 30_000;
const firstRetryMs = 1000;
const workers = 16;

interface Registered {
  /** The spec as JSON; if it changes, the extension server is another one. */
  readonly specText: string;
  readonly extension: ExtensionService;
  readonly serviceKey: string;
  failures: number;
  said: string;
}

/**
 * Delegates the versions of API services to the servers behind them, and keeps their `Available` conditions. Each is checked every 30 s,
 * more often while it is unavailable or withholds its documents, and when its service or endpoints change. Source: kube-aggregator 1.23.
 */
export class Aggregator implements Controller {
  readonly #context: ControllerContext;
  readonly #options: AggregatorOptions;
  readonly #apiServices = new Map<string, APIService>();
  readonly #registered = new Map<string, Registered>();
  readonly #byService = new Map<string, Set<string>>();
  readonly #queue: WorkQueue<string>;
  #followings: Following[] = [];

  constructor(context: ControllerContext, options: AggregatorOptions) {
    this.#context = context;
    this.#options = options;
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("AvailableConditionController"),
      work: (name) => this.#sync(name),
      workers,
      onFailure: (name, error) =>
        context.log.verbose(
          { level: 2, file: "aggregation/aggregator" },
          "the check of an API service will be retried",
          { name, reason: String(error) },
        ),
    });
  }

  async start(): Promise<void> {
    const ofService = (service: string): void => {
      for (const name of this.#byService.get(service) ?? []) this.#queue.add(name);
    };
    const { builtin } = this.#context;
    this.#followings = await Promise.all([
      follow(builtin("apiservices.apiregistration"), {
        change: (type, stored) => {
          const known = this.#apiServices.get(stored.key);
          const next = type === "DELETED" ? undefined : stored.decode();
          if (next === undefined) this.#apiServices.delete(stored.key);
          else this.#apiServices.set(stored.key, next);
          // The status is this controller's own, unless it has no condition.
          const isChanged = JSON.stringify(known?.spec) !== JSON.stringify(next?.spec);
          if (isChanged || availableOf(next) === undefined) this.#queue.add(stored.key);
        },
      }),
      follow(builtin("services"), { change: (_type, { key }) => ofService(key) }),
      this.#options.backends.follow(ofService),
    ]);
  }

  async stop(): Promise<void> {
    for (const following of this.#followings) following.stop();
    const closing = [...this.#registered.values()].map(({ extension }) => extension.close());
    await Promise.all([...closing, this.#queue.close()]);
  }

  async #sync(name: string): Promise<void> {
    const apiService = this.#apiServices.get(name);
    if (apiService?.spec.service === undefined) {
      await this.#forget(name);
      if (apiService === undefined) this.#options.metrics.gone(name);
      else await this.#setCondition(name, localAvailability);
      return;
    }
    const registered = await this.#register(name, apiService);
    const { extension } = registered;
    const resources = extension.resources;
    const availability = await this.#check(apiService, extension);
    if (this.#registered.get(name) !== registered) return;
    if (resources !== extension.resources || registered.said !== availability.status) {
      this.#publish(apiService, extension);
    }
    registered.said = availability.status;
    await this.#setCondition(name, availability);
    const documents = availability.status === "True" ? await extension.readDocuments() : undefined;
    if (this.#registered.get(name) !== registered) return;
    for (const reason of documents?.refused ?? []) {
      this.#context.log.warn("an OpenAPI document of an extension server is not served", { name, reason });
    }
    if (documents?.changed === true) this.#publish(apiService, extension);
    // A server that has just started may be available before it has loaded its CAs, and refuse to serve its documents.
    const isComplete = documents?.failed === false;
    registered.failures = isComplete ? 0 : registered.failures + 1;
    this.#queue.addAfter(
      name,
      isComplete ? recheckMs : Math.min(recheckMs, firstRetryMs * 2 ** Math.min(10, registered.failures - 1)),
    );
  }

  async #check({ spec }: APIService, extension: ExtensionService): Promise<Availability> {
    const { namespace = "", name = "", port = 443 } = spec.service ?? {};
    const { builtin } = this.#context;
    const service = await builtin("services").find(namespace, name, { kind: "any" });
    const backends = await this.#options.backends.of(namespace, name);
    return await extension.check(serviceAddresses({ namespace, name, port }, service?.decode(), backends));
  }

  async #register(name: string, apiService: APIService): Promise<Registered> {
    const specText = JSON.stringify(apiService.spec);
    const known = this.#registered.get(name);
    if (known?.specText === specText) return known;
    await this.#forget(name);
    const { service } = apiService.spec;
    const serviceKey = `${service?.namespace ?? ""}/${service?.name ?? ""}`;
    const extension = new ExtensionService({ ...this.#options, spec: apiService.spec });
    const registered: Registered = { specText, extension, serviceKey, failures: 0, said: "" };
    this.#registered.set(name, registered);
    const names = this.#byService.get(serviceKey) ?? new Set();
    this.#byService.set(serviceKey, names.add(name));
    this.#publish(apiService, extension);
    return registered;
  }

  async #forget(name: string): Promise<void> {
    const known = this.#registered.get(name);
    if (known === undefined) return;
    this.#registered.delete(name);
    const names = this.#byService.get(known.serviceKey);
    names?.delete(name);
    if (names?.size === 0) this.#byService.delete(known.serviceKey);
    this.#options.catalog.publish({ undelegated: [groupVersionOf(name)] });
    this.#options.metrics.gone(name);
    await known.extension.close();
  }

  #publish({ spec }: APIService, extension: ExtensionService): void {
    const { group = "", version = "" } = spec;
    const priority = { group: spec.groupPriorityMinimum, version: spec.versionPriority };
    this.#options.catalog.publish({ delegated: [{ group, version, extension, priority }] });
  }

  async #setCondition(name: string, { status, reason, message }: Availability): Promise<void> {
    if (status === "True") this.#options.metrics.available(name);
    else this.#options.metrics.unavailable(name, reason);
    const wanted = { type: "Available", status, reason, message };
    const known = availableOf(this.#apiServices.get(name));
    if (known?.status === status && known.reason === reason && known.message === message) return;
    const registry = this.#context.builtin("apiservices.apiregistration");
    const now = timestamp(this.#context.now());
    try {
      await registry.change(
        serverWrite(this.#context, ""),
        name,
        (object) => {
          const { conditions } = object.status;
          object.status = { ...object.status, conditions: withCondition(conditions, wanted, now) };
        },
        { strategy: partStrategy(registry.definition, "status") },
      );
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
    }
  }
}

function availableOf(apiService: APIService | undefined): APIServiceCondition | undefined {
  return apiService?.status.conditions?.find(({ type }) => type === "Available");
}

const localAvailability: Availability = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};
