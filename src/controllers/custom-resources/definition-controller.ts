import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { DefinitionSummary } from "../../apis/apiextensions/custom-resource/definition-summary.js";
import { cleanupFinalizer } from "../../apis/apiextensions/custom-resource-definition/conditions.js";
import { partStrategy } from "../../apis/definition/resource-definition.js";
import type { CustomResourceDefinition } from "../../apis/gen/apiextensions-v1.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Change } from "../../informers/informer.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { ownStages } from "../../registry/generic/write-stages.js";
import { type Controller, type ControllerContext, serverWrite } from "../controller.js";
import { ignoreNotFound } from "../ignore-errors.js";
import { WorkQueue } from "../work-queue.js";
import { DefinitionStatus, type DefinitionStatusParts } from "./definition-status.js";
import { deleteInstances } from "./delete-instances.js";

export interface DefinitionControllerParts extends Omit<DefinitionStatusParts, "now" | "isServed"> {
  readonly context: ControllerContext;
  /** Calls the listener with each change of a definition, until the returned function is called. */
  readonly onChange: (listener: (change: Change<DefinitionSummary>) => void) => () => void;
  /** The registry of a defined resource; undefined when it is not served here. */
  readonly instances: (group: string, resource: string) => ResourceRegistry | undefined;
  /** Creates of a definition's objects that this server has begun and may yet store. */
  readonly createsUnderWay: (definition: string) => number;
}

const instancesRecheckMs = 500;
const createsRecheckMs = 10;
/** After this time other servers on the store have seen that a definition terminates, and have finished creating its objects. */
const othersFinishMs = 2_000;

/** Runs the life cycle of definitions: keeps their status, and deletes all objects of a definition before it is removed. */
export class DefinitionController implements Controller {
  readonly #parts: DefinitionControllerParts;
  readonly #status: DefinitionStatus;
  readonly #queue: WorkQueue<string>;
  #leave: () => void = () => {};

  constructor(parts: DefinitionControllerParts) {
    this.#parts = parts;
    this.#status = new DefinitionStatus({
      ...parts,
      now: () => parts.context.now(),
      isServed: (group, resource) => parts.instances(group, resource) !== undefined,
    });
    this.#queue = new WorkQueue({
      observer: parts.context.observeQueue?.("crd_naming_condition_controller"),
      clock: parts.context.clock,
      work: (name) => this.#sync(name),
      workers: 4,
      onFailure: (definition, error) =>
        parts.context.log.warn("the work on a custom resource definition will be retried", {
          definition,
          reason: messageOf(error),
        }),
    });
  }

  async start(): Promise<void> {
    this.#leave = this.#parts.onChange(({ key, value, previous }) => {
      this.#queue.add(key);
      // Another definition may wait for names that became free.
      const group = value?.group ?? previous?.group;
      if (group === undefined || value?.acceptedNames === previous?.acceptedNames) return;
      for (const { name, conditions } of this.#parts.definitions.find("group", group)) {
        const waits = conditions.some(
          ({ type, status, reason }) =>
            (type === "NamesAccepted" && status === "False") ||
            (type === "Established" && reason === "Installing"),
        );
        if (name !== key && waits) this.#queue.add(name);
      }
    });
  }

  async stop(): Promise<void> {
    this.#leave();
    await this.#queue.close();
  }

  async #sync(name: string): Promise<void> {
    // At the start, all definitions are queued.
    await turnIfRoundIsOver();
    const summary = this.#parts.definitions.get(name);
    if (summary === undefined) return;
    if (summary.isTerminating) return await this.#finalize(summary);
    if (this.#status.isSettled(summary)) return;
    await this.#updateStatus(name, (definition) => this.#status.of(definition));
  }

  async #finalize(summary: DefinitionSummary): Promise<void> {
    const finalizer = cleanupFinalizer(this.#parts.naming);
    if (!summary.finalizers.includes(finalizer)) return;
    const { group, acceptedNames, name } = summary;
    const instances = this.#parts.instances(group, acceptedNames.plural);
    if (instances !== undefined) {
      const waitMs = this.#waitForCreates(summary);
      const left = await deleteInstances(instances, this.#parts.context);
      if (left > 0) {
        await this.#setTerminating(
          name,
          "True",
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress",
        );
        this.#queue.addAfter(name, instancesRecheckMs);
        return;
      }
      if (waitMs > 0) {
        this.#queue.addAfter(name, waitMs);
        return;
      }
    }
    if (summary.conditions.some(({ type, status }) => type === "Established" && status === "True")) {
      await this.#setTerminating(name, "False", "InstanceDeletionCompleted", "removed all instances");
    } else {
      await this.#setTerminating(name, "False", "NeverEstablished", "resource was never established");
    }
    await this.#update(name, (definition) => {
      const left = definition.metadata.finalizers?.filter((one) => one !== finalizer) ?? [];
      const finalizers = left.length === 0 ? undefined : left;
      return { ...definition, metadata: { ...definition.metadata, finalizers } };
    });
  }

  /** Waits until no create is in progress whose object would be orphaned. */
  #waitForCreates({ name, deletionTimestamp = "" }: DefinitionSummary): number {
    if (this.#parts.createsUnderWay(name) > 0) return createsRecheckMs;
    if (!this.#parts.isStoreShared) return 0;
    // Timestamps have whole seconds.
    const elapsedMs = this.#parts.context.now().getTime() - Date.parse(deletionTimestamp) - 1000;
    return Math.max(0, othersFinishMs - elapsedMs);
  }

  async #setTerminating(
    name: string,
    status: "True" | "False",
    reason: string,
    message: string,
  ): Promise<void> {
    await this.#updateStatus(name, (definition) =>
      this.#status.terminating(definition, { status, reason, message }),
    );
  }

  async #updateStatus(
    name: string,
    change: (definition: CustomResourceDefinition) => CustomResourceDefinition["status"],
  ): Promise<void> {
    await this.#update(name, (definition) => ({
      ...definition,
      metadata: { ...definition.metadata },
      status: change(definition),
    }));
  }

  /**
   * `change` returns another definition, which may share unchanged parts with the given one. Written as a status, even for finalizers:
   * the spec is not validated again, so that any definition can be deleted.
   */
  async #update(
    name: string,
    change: (definition: CustomResourceDefinition) => CustomResourceDefinition,
  ): Promise<void> {
    const { context } = this.#parts;
    const registry = context.builtin("customresourcedefinitions.apiextensions");
    const write = serverWrite(context, "");
    const updated = registry.update(write, name, {
      ...ownStages(write),
      strategy: partStrategy(registry.definition, "status"),
      transform: async (current) => {
        if (current === undefined) throw new Error("an update cannot create an object");
        return change(current.old);
      },
    });
    await ignoreNotFound(updated);
  }
}
