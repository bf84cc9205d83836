import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { hubTypeMeta, partStrategy } from "../../apis/definition/resource-definition.js";
import type { ServiceCIDR } from "../../apis/gen/networking-v1.js";
import { serverWrite } from "../../controllers/controller.js";
import type { WarningEvents } from "../../controllers/warning-events.js";
import type { Naming } from "../../naming/naming.js";
import type { Repairs } from "../../registry/core/service/repair.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { Logger } from "../../telemetry/logger.js";
import { type Clock, dateOf } from "../../time/clock.js";

export interface DefaultServiceCidrParts {
  readonly naming: Naming;
  readonly log: Logger;
  readonly clock: Clock;
  readonly warnings: WarningEvents;
  readonly registry: () => ResourceRegistry<ServiceCIDR>;
  /** The ranges of the options. */
  readonly cidrs: readonly string[];
}

/** Maintains the object with the configured ranges of services. Source: KEP-1880, "The default ServiceCIDR". */
export class DefaultServiceCidr implements Repairs {
  readonly #parts: DefaultServiceCidrParts;
  #toldOfOthers = false;

  constructor(parts: DefaultServiceCidrParts) {
    this.#parts = parts;
  }

  async repairOnce(): Promise<void> {
    const { naming, registry, cidrs } = this.#parts;
    const name = naming.apiServiceName;
    const found = (await registry().find("", name, { kind: "mostRecent" }))?.decode();
    if (found === undefined) await this.#create(name);
    else if (cidrs.length === 2 && isDeepEqual(found.spec.cidrs, cidrs.slice(0, 1))) await this.#widen(name);
    else if (!isDeepEqual(found.spec.cidrs, cidrs)) {
      this.#tellOfOthers(found);
      return;
    }
    if (found?.metadata.deletionTimestamp === undefined) await this.#makeReady(name);
  }

  async #create(name: string): Promise<void> {
    const { registry, cidrs } = this.#parts;
    try {
      await registry().create(this.#write(), { metadata: { name }, spec: { cidrs: [...cidrs] }, status: {} });
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) throw error;
    }
  }

  /** Adds the second family to a cluster of one. */
  async #widen(name: string): Promise<void> {
    const { registry, cidrs, log } = this.#parts;
    try {
      await registry().change(this.#write(), name, ({ spec }) => {
        spec.cidrs = [...cidrs];
      });
    } catch (error) {
      if (!isStatus(error, "Invalid")) throw error;
      log.warn("the default service CIDR could not get its second IP family", { reason: String(error) });
    }
  }

  async #makeReady(name: string): Promise<void> {
    const { naming, registry, clock } = this.#parts;
    const current = (await registry().find("", name, { kind: "mostRecent" }))?.decode();
    const ready = current?.status.conditions?.find(({ type }) => type === "Ready");
    // A condition `False` is someone else's decision.
    if (current === undefined || (ready !== undefined && ready.status !== "Unknown")) return;
    const condition = {
      type: "Ready",
      status: "True",
      lastTransitionTime: timestamp(new Date(clock.now())),
      message: `${naming.vendorTitle} default Service CIDR is ready`,
    };
    await registry().apply(
      this.#write(`${naming.vendor}-service-cidr-controller`),
      name,
      { status: { conditions: [condition] } },
      { strategy: partStrategy(registry().definition, "status") },
    );
  }

  #tellOfOthers({ metadata: { name = "", uid = "" }, spec }: ServiceCIDR): void {
    if (this.#toldOfOthers) return;
    this.#toldOfOthers = true;
    const { naming, log, warnings, registry } = this.#parts;
    const [ranges, options] = [spec.cidrs ?? [], this.#parts.cidrs].map((cidrs) => cidrs.join(" "));
    log.warn("the default service CIDR differs from --service-cluster-ip-range", { name, ranges, options });
    const { definition } = registry();
    warnings.add({
      subject: { ...hubTypeMeta(definition), namespace: "", name, uid },
      component: `${naming.vendor}-service-cidr-controller`,
      reason: `${naming.vendorTitle}DefaultServiceCIDRInconsistent`,
      message: `The default ServiceCIDR [${ranges}] does not match the controller flag configurations [${options}]`,
    });
  }

  #write(fieldManager = this.#parts.naming.commandName) {
    return serverWrite({ now: dateOf(this.#parts.clock), fieldManager }, "");
  }
}
