import { timestamp } from "../apimachinery/values/time.js";
import type { ServiceCIDR } from "../apis/gen/networking-v1.js";
import { type Following, follow } from "../informers/follow.js";
import { isWithin, parseAddressRanges } from "../registry/core/service/address-range.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreNotFound } from "./ignore-errors.js";
import { writeStatus } from "./status-write.js";
import type { WorkQueue } from "./work-queue.js";

export interface ServiceCidrNames {
  readonly finalizer: string;
  /** `Orch`, in the message of a range that is ready. */
  readonly vendor: string;
  /** Label and value of the addresses that servers allocate. */
  readonly managedBy: readonly [label: string, value: string];
}

/** A server that has not seen the deletion yet may still allocate an address from the range. */
const deletionGraceMs = 10_000;
const writer = "system:serviceaccount:service-cidrs-controller";
const mostRecent = { kind: "mostRecent" } as const;

interface Readiness {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * Sets the Ready condition of service CIDRs, and keeps a deleted one until no address is left that only it contains. Source: KEP-1880,
 * "ServiceCIDR controller".
 */
export class ServiceCidrController implements Controller {
  readonly #context: ControllerContext;
  readonly #names: ServiceCidrNames;
  readonly #queue: WorkQueue<string>;
  /** Names of ranges that are to be deleted. */
  readonly #deleting = new Set<string>();
  #following: readonly Following[] = [];

  constructor(context: ControllerContext, names: ServiceCidrNames) {
    this.#context = context;
    this.#names = names;
    this.#queue = controllerQueue(context, {
      name: "servicecidrs",
      work: (name) => this.#check(name),
      workers: 1,
      file: "controllers/service-cidrs",
      failure: "the check of a service CIDR will be retried",
      about: (name) => ({ name }),
    });
  }

  async start(): Promise<void> {
    this.#following = await Promise.all([
      follow(this.#registry(), {
        change: (type, { key }) => {
          if (type === "DELETED") this.#deleting.delete(key);
          else this.#queue.add(key);
          this.#checkDeleting();
        },
      }),
      follow(this.#context.builtin("ipaddresses.networking"), {
        change: (type) => {
          if (type === "DELETED") this.#checkDeleting();
        },
      }),
    ]);
  }

  async stop(): Promise<void> {
    for (const following of this.#following) following.stop();
    await this.#queue.close();
  }

  #registry() {
    return this.#context.builtin("servicecidrs.networking");
  }

  #checkDeleting(): void {
    for (const name of this.#deleting) this.#queue.add(name);
  }

  async #check(name: string): Promise<void> {
    const object = (await this.#registry().find("", name, mostRecent))?.decode();
    if (object === undefined) return;
    const { finalizer, vendor } = this.#names;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined) {
      if (!finalizers.includes(finalizer)) await this.#finalizers(object, (all) => [...all, finalizer]);
      const message = `${vendor} Service CIDR is ready`;
      await this.#tell(object, { status: "True", reason: "", message });
      return;
    }
    if (!finalizers.includes(finalizer)) return;
    this.#deleting.add(name);
    if (await this.#isInUse(object)) {
      const message =
        "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR";
      await this.#tell(object, { status: "False", reason: "Terminating", message });
      return;
    }
    const remainingMs = Date.parse(deletionTimestamp) + deletionGraceMs - this.#context.now().getTime();
    if (remainingMs > 0) this.#context.clock.schedule(remainingMs, () => this.#queue.add(name));
    else await this.#finalizers(object, (all) => all.filter((each) => each !== finalizer));
  }

  /** Whether an address is in this range and in no other. */
  async #isInUse({ metadata, spec }: ServiceCIDR): Promise<boolean> {
    const ranges = parseAddressRanges(spec.cidrs);
    const { items } = await this.#registry().list({ prefix: "", at: mostRecent, limit: 0 });
    const others = items
      .map((stored) => stored.decode())
      .filter((other) => other.metadata.name !== metadata.name)
      .flatMap((other) => parseAddressRanges(other.spec.cidrs));
    const [label, value] = this.#names.managedBy;
    const addresses = await this.#context.builtin("ipaddresses.networking").list({
      prefix: "",
      at: mostRecent,
      limit: 0,
      matches: ({ labels }) => labels?.[label] === value,
    });
    return addresses.items.some(
      ({ key }) =>
        ranges.some((range) => isWithin(range, key)) && !others.some((range) => isWithin(range, key)),
    );
  }

  async #tell({ metadata: { name = "", uid }, status }: ServiceCIDR, said: Readiness): Promise<void> {
    const ready = status.conditions?.find(({ type }) => type === "Ready");
    if (ready?.status === said.status) return;
    const lastTransitionTime = timestamp(this.#context.now());
    await writeStatus(this.#context, this.#registry(), {
      namespace: "",
      name,
      uid,
      as: writer,
      change(object) {
        const others = (object.status.conditions ?? []).filter(({ type }) => type !== "Ready");
        object.status = { conditions: [...others, { type: "Ready", ...said, lastTransitionTime }] };
      },
    });
  }

  async #finalizers(
    { metadata: { name = "", uid } }: ServiceCIDR,
    change: (all: readonly string[]) => string[],
  ): Promise<void> {
    const write = controllerWrite(this.#context, controllerUser(writer), "");
    const setFinalizers = ({ metadata }: ServiceCIDR): void => {
      const finalizers = [...new Set(change(metadata.finalizers ?? []))];
      metadata.finalizers = finalizers.length === 0 ? undefined : finalizers;
    };
    await ignoreNotFound(this.#registry().change(write, name, setFinalizers, { uid }));
  }
}
