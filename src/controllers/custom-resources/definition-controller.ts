import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type { DefinitionSummary } from "../../apis/apiextensions/custom-resource/definition-summary.js";
import {
  type ApprovalState,
  approvalOf,
} from "../../apis/apiextensions/custom-resource-definition/approval.js";
import {
  cleanupFinalizer,
  conditionOf,
  isConditionTrue,
  withCondition,
} from "../../apis/apiextensions/custom-resource-definition/conditions.js";
import { bundleProblem } from "../../apis/apiextensions/custom-resource-definition/conversion-validation.js";
import {
  type NonStructuralCondition,
  nonStructuralCondition,
  nonStructuralType,
} from "../../apis/apiextensions/custom-resource-definition/non-structural.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../apis/gen/apiextensions-v1.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Change, Lister } from "../../informers/informer.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import { ownStages } from "../../registry/generic/write-stages.js";
import { type Controller, type ControllerContext, serverWrite } from "../controller.js";
import { WorkQueue } from "../work-queue.js";
import { acceptNames, overlap, type UsedNames, usedBy } from "./accepted-names.js";
import { deleteInstances } from "./delete-instances.js";

/** Whether another definition holds the accepted names of one: "open" while the conflict is undecided. */
type Contest = "none" | "open" | "lost";

const noNames = { plural: "", kind: "" };

export interface DefinitionControllerParts {
  readonly context: ControllerContext;
  readonly naming: Naming;
  readonly definitions: Lister<DefinitionSummary, "group">;
  /** Calls the listener with each change of a definition, until the returned function is called. */
  readonly onChange: (listener: (change: Change<DefinitionSummary>) => void) => () => void;
  /** The registry of a defined resource; undefined when it is not served here. */
  readonly instances: (group: string, resource: string) => ResourceRegistry | undefined;
  /** Creates of a definition's objects that this server has begun and may yet store. */
  readonly createsUnderWay: (definition: string) => number;
  /** Whether a built-in kind has the name. */
  readonly isBuiltin: (group: string, resource: string) => boolean;
  /**
   * Whether other servers serve from the same store. They learn that a definition is about to be established before a client can see that
   * it is. A lone server serves it as of the write that says so.
   */
  readonly isStoreShared: boolean;
  /** The gate CRDObservedGenerationTracking: whether the status says which generation it describes. */
  readonly tracksGeneration: boolean;
  /** Whether definitions wait for a valid bundle of their conversion webhook. */
  readonly checksCaBundle: boolean;
}

const instancesRecheckMs = 500;
const createsRecheckMs = 10;
/** After this time other servers on the store have seen that a definition terminates, and have finished creating its objects. */
const othersFinishMs = 2_000;

/**
 * Runs the life cycle of definitions: accepts names, establishes resources, and deletes all objects of a definition before it is
 * removed. Source: kube-apiserver 1.23, the controllers of the apiextensions server.
 */
export class DefinitionController implements Controller {
  readonly #parts: DefinitionControllerParts;
  readonly #queue: WorkQueue<string>;
  #leave: () => void = () => {};

  constructor(parts: DefinitionControllerParts) {
    this.#parts = parts;
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
    // At the start all of them are looked at.
    await turnIfRoundIsOver();
    const summary = this.#parts.definitions.get(name);
    if (summary === undefined) return;
    if (summary.isTerminating) return await this.#finalize(summary);
    if (this.#isSettled(summary)) return;
    await this.#updateStatus(name, async (definition) => {
      const condition = nonStructuralCondition(definition, this.#parts.naming.extensionPrefix);
      const status = this.#statusOf(definition);
      const conditions = this.#withStructure(condition, status.conditions ?? []);
      return this.#observed(definition, { ...status, conditions });
    });
  }

  /** Decides by the summary, without reading the definition, because most changes of a definition do not affect the result. */
  #isSettled(summary: DefinitionSummary): boolean {
    const { group, name, generation, names, acceptedNames, conditions } = summary;
    if (this.#parts.naming.isProtectedGroup(group)) return false;
    const lacksStructure = conditions.some(({ type }) => type === nonStructuralType);
    if (summary.preservesUnknownFields || lacksStructure) return false;
    const { conversion } = summary.outline.spec;
    const { observedGeneration } = summary.outline.status;
    const outline = {
      metadata: { name, generation },
      spec: { group, names, conversion },
      status: {
        acceptedNames,
        conditions: [...conditions],
        ...(observedGeneration !== undefined && { observedGeneration }),
      },
    };
    return isDeepEqual(this.#observed(outline, this.#statusOf(outline)), outline.status);
  }

  #statusOf(definition: DefinitionOutline): CustomResourceDefinition["status"] {
    const { spec, status } = definition;
    const now = timestamp(this.#parts.context.now());
    const used = this.#usedNames(definition);
    const contest = this.#contest(definition, used);
    const before = contest === "lost" ? noNames : status.acceptedNames;
    const { names, conflict } = acceptNames(spec.names, before, used);
    let conditions = this.#withApproval(definition, status.conditions ?? [], now);
    conditions = withCondition(
      conditions,
      conflict === undefined
        ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
        : { type: "NamesAccepted", status: "False", ...conflict },
      now,
    );
    return {
      ...status,
      acceptedNames: names,
      conditions: [...this.#withEstablished(definition, conditions, contest, now)],
    };
  }

  /** Records which generation the status describes. A migration's condition keeps the generation at which the migration began. */
  #observed(
    { metadata }: DefinitionOutline,
    status: CustomResourceDefinition["status"],
  ): CustomResourceDefinition["status"] {
    if (!this.#parts.tracksGeneration) return status;
    const observedGeneration = Number(metadata.generation ?? 0);
    return {
      ...status,
      observedGeneration,
      conditions: status.conditions?.map((condition) =>
        condition.type === "StorageMigrating" ? condition : { ...condition, observedGeneration },
      ),
    };
  }

  /** A definition with accepted names is about to be served; once it is served it is established. */
  #withEstablished(
    definition: DefinitionOutline,
    conditions: readonly CustomResourceDefinitionCondition[],
    contest: Contest,
    now: string,
  ): readonly CustomResourceDefinitionCondition[] {
    const type = "Established";
    if (isConditionTrue(definition, type)) return conditions;
    const message = "the initial names have been accepted";
    const accepted = conditions.some((one) => one.type === "NamesAccepted" && one.status === "True");
    if (!accepted) {
      const why = "not all names are accepted";
      return withCondition(conditions, { type, status: "False", reason: "NotAccepted", message: why }, now);
    }
    const problem = this.#parts.checksCaBundle ? bundleProblem(definition.spec) : undefined;
    if (problem !== undefined) {
      const refusal = { type, status: "False", reason: "InvalidCABundle", message: problem };
      return withCondition(conditions, refusal, now);
    }
    return withCondition(
      conditions,
      !this.#parts.isStoreShared || (contest === "none" && this.#wasInstalled(definition))
        ? { type, status: "True", reason: "InitialNamesAccepted", message }
        : { type, status: "False", reason: "Installing", message },
      now,
    );
  }

  #wasInstalled(definition: DefinitionOutline): boolean {
    const { spec, status } = definition;
    if (conditionOf(definition, "Established")?.reason !== "Installing") return false;
    return this.#parts.instances(spec.group, status.acceptedNames.plural) !== undefined;
  }

  #withStructure(
    condition: NonStructuralCondition | undefined,
    conditions: CustomResourceDefinitionCondition[],
  ): CustomResourceDefinitionCondition[] {
    if (condition === undefined) return conditions.filter(({ type }) => type !== nonStructuralType);
    return [...withCondition(conditions, condition, timestamp(this.#parts.context.now()))];
  }

  #withApproval(
    definition: DefinitionOutline,
    conditions: readonly CustomResourceDefinitionCondition[],
    now: string,
  ): readonly CustomResourceDefinitionCondition[] {
    const { naming } = this.#parts;
    if (!naming.isProtectedGroup(definition.spec.group)) return conditions;
    const { state, reason } = approvalOf(definition, naming);
    return withCondition(
      conditions,
      {
        type: naming.apiApprovalCondition,
        status: state === "approved" ? "True" : "False",
        reason: approvalReasons[state],
        message: reason,
      },
      now,
    );
  }

  /**
   * Two servers may accept the same names for two definitions at once. Of those that are not established, the one whose name comes first
   * wins, and is not established before the other has given up its names.
   */
  #contest(definition: DefinitionOutline, used: UsedNames): Contest {
    if (!this.#parts.isStoreShared || isConditionTrue(definition, "Established")) return "none";
    const { metadata, spec, status } = definition;
    const own = usedBy(status.acceptedNames);
    if (!overlap(own, used)) return "none";
    let contest: Contest = "none";
    for (const rival of this.#parts.definitions.find("group", spec.group)) {
      if (rival.name === metadata.name || !overlap(own, usedBy(rival.acceptedNames))) continue;
      const isEstablished = rival.conditions.some(
        (one) => one.type === "Established" && one.status === "True",
      );
      if (isEstablished || rival.name < (metadata.name ?? "")) return "lost";
      contest = "open";
    }
    return contest;
  }

  #usedNames({ metadata, spec }: DefinitionOutline): UsedNames {
    const resources = new Set<string>();
    const kinds = new Set<string>();
    for (const { name, acceptedNames } of this.#parts.definitions.find("group", spec.group)) {
      if (name === metadata.name) continue;
      const used = usedBy(acceptedNames);
      for (const each of used.resources) resources.add(each);
      for (const each of used.kinds) kinds.add(each);
    }
    if (this.#parts.isBuiltin(spec.group, spec.names.plural)) resources.add(spec.names.plural);
    return { resources, kinds };
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
    await this.#update(name, undefined, async (definition) => {
      const left = definition.metadata.finalizers?.filter((one) => one !== finalizer) ?? [];
      const finalizers = left.length === 0 ? undefined : left;
      return { ...definition, metadata: { ...definition.metadata, finalizers } };
    });
  }

  /** Waits until no create in progress can add an object that would be left behind. */
  #waitForCreates({ name, deletionTimestamp = "" }: DefinitionSummary): number {
    if (this.#parts.createsUnderWay(name) > 0) return createsRecheckMs;
    if (!this.#parts.isStoreShared) return 0;
    // Timestamps have whole seconds.
    const elapsedMs = this.#parts.context.now().getTime() - Date.parse(deletionTimestamp) - 1000;
    return Math.max(0, othersFinishMs - elapsedMs);
  }

  async #setTerminating(name: string, status: string, reason: string, message: string): Promise<void> {
    const now = timestamp(this.#parts.context.now());
    await this.#updateStatus(name, async (definition) => {
      const before = definition.status;
      const condition = { type: "Terminating", status, reason, message };
      const conditions = [...withCondition(before.conditions ?? [], condition, now)];
      return this.#observed(definition, { ...before, conditions });
    });
  }

  async #updateStatus(
    name: string,
    change: (definition: CustomResourceDefinition) => Promise<CustomResourceDefinition["status"]>,
  ): Promise<void> {
    await this.#update(name, "status", async (definition) => ({
      ...definition,
      metadata: { ...definition.metadata },
      status: await change(definition),
    }));
  }

  /** `change` returns another definition, which may share its unchanged parts with the given one. */
  async #update(
    name: string,
    subresource: "status" | undefined,
    change: (definition: CustomResourceDefinition) => Promise<CustomResourceDefinition>,
  ): Promise<void> {
    const { context } = this.#parts;
    const registry = context.builtin("customresourcedefinitions.apiextensions");
    const part = registry.definition.subresources.find((one) => one.name === subresource);
    try {
      const write = serverWrite(context, "");
      await registry.update(write, name, {
        ...ownStages(write),
        strategy: part?.kind === "part" ? part.strategy : undefined,
        transform: async (current) => {
          if (current === undefined) throw new Error("an update does not create");
          return await change(current.old);
        },
      });
    } catch (error) {
      // It was deleted in the meantime.
      if (!isStatus(error, "NotFound")) throw error;
    }
  }
}

/** The parts of a definition that determine its status. */
type DefinitionOutline = Pick<CustomResourceDefinition, "metadata" | "status"> & {
  readonly spec: Pick<CustomResourceDefinition["spec"], "group" | "names" | "conversion">;
};

const approvalReasons: Readonly<Record<ApprovalState, string>> = {
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
};
