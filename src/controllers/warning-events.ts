import { createHash } from "node:crypto";
import { isStatus } from "../apimachinery/errors/status.js";
import type { UserInfo } from "../apimachinery/requests/request-info.js";
import { timestamp } from "../apimachinery/values/time.js";
import { type ControllerContext, controllerWrite } from "./controller.js";

/** A problem with an object, and the component that reports it. */
export interface Warning {
  readonly subject: {
    readonly apiVersion: string;
    readonly kind: string;
    /** Empty for an object of the cluster. */
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly component: string;
  /** In one word: `ClusterIPOutOfRange`. */
  readonly reason: string;
  readonly message: string;
}

/** Limit of waiting events; further ones are dropped. */
const waitingMax = 1000;
/** The rest of a name of 253 characters is for the digest. */
const nameCharactersMax = 220;

/**
 * Writes warnings as events, one after another. A repeated warning increases the count of its event while that exists. Callers do not wait;
 * failures are only logged.
 */
export class WarningEvents {
  readonly #context: Pick<ControllerContext, "builtin" | "now" | "log">;
  readonly #user: UserInfo;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** The events are written as `user`. */
  constructor(context: Pick<ControllerContext, "builtin" | "now" | "log">, user: UserInfo) {
    this.#context = context;
    this.#user = user;
  }

  add(warning: Warning): void {
    if (this.#waiting === waitingMax) return;
    this.#waiting++;
    this.#last = this.#last.then(() => this.#tryWrite(warning));
  }

  async #tryWrite(warning: Warning): Promise<void> {
    try {
      await this.#write(warning);
    } catch (error) {
      this.#context.log.verbose(
        { level: 2, file: "controllers/warning-events" },
        "event could not be written",
        { reason: String(error) },
      );
    } finally {
      this.#waiting--;
    }
  }

  async #write({ subject, component, reason, message }: Warning): Promise<void> {
    const { builtin, now } = this.#context;
    const namespace = subject.namespace === "" ? "default" : subject.namespace;
    const digest = createHash("sha256").update(`${subject.uid} ${reason} ${message}`).digest("hex");
    const name = `${subject.name.slice(0, nameCharactersMax)}.${digest.slice(0, 16)}`;
    const at = timestamp(now());
    const write = () => controllerWrite(this.#context, this.#user, namespace);
    try {
      await builtin("events").change(write(), name, (event) => {
        event.count = (event.count ?? 0) + 1;
        event.lastTimestamp = at;
      });
      return;
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
    }
    // An event would outlive a namespace that is about to be removed.
    const found = await builtin("namespaces").find("", namespace, { kind: "any" });
    if (found === undefined || found.decode().metadata.deletionTimestamp !== undefined) return;
    await builtin("events").create(write(), {
      metadata: { name, namespace },
      involvedObject: { ...subject, namespace: subject.namespace === "" ? undefined : subject.namespace },
      reason,
      message,
      source: { component },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      type: "Warning",
      reportingComponent: "",
      reportingInstance: "",
    });
  }
}
