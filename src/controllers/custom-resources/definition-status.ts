import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type { DefinitionSummary } from "../../apis/apiextensions/custom-resource/definition-summary.js";
import {
  type ApprovalState,
  approvalOf,
} from "../../apis/apiextensions/custom-resource-definition/approval.js";
import {
  conditionOf,
  isConditionTrue,
  withCondition,
} from "../../apis/apiextensions/custom-resource-definition/conditions.js";
import { bundleProblem } from "../../apis/apiextensions/custom-resource-definition/conversion-validation.js";
import {
  nonStructuralCondition,
  nonStructuralType,
} from "../../apis/apiextensions/custom-resource-definition/non-structural.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../apis/gen/apiextensions-v1.js";
import type { Lister } from "../../informers/informer.js";
import type { Naming } from "../../naming/naming.js";
import { acceptNames, overlap, type UsedNames, usedBy } from "./accepted-names.js";

export interface DefinitionStatusParts {
  readonly naming: Naming;
  readonly now: () => Date;
  readonly definitions: Lister<DefinitionSummary, "group">;
  /** Whether the resource is served here. */
  readonly isServed: (group: string, resource: string) => boolean;
  /** Whether a built-in kind has the name. */
  readonly isBuiltin: (group: string, resource: string) => boolean;
  /**
   * Whether other servers use the same store. They must learn that a definition is about to be established before a client can see that
   * it is. A lone server serves it as soon as that status is written.
   */
  readonly isStoreShared: boolean;
  /** Whether definitions wait for a valid bundle of their conversion webhook. */
  readonly checksCaBundle: boolean;
}

/** Whether another definition holds the accepted names of one: "open" while the conflict is undecided. */
type Contest = "none" | "open" | "lost";

const noNames = { plural: "", kind: "" };

type Status = CustomResourceDefinition["status"];

/**
 * Decides what the status of a definition says: which names it gets, and whether its resource is established. Source: kube-apiserver 1.23,
 * the controllers of the apiextensions server.
 */
export class DefinitionStatus {
  readonly #parts: DefinitionStatusParts;

  constructor(parts: DefinitionStatusParts) {
    this.#parts = parts;
  }

  of(definition: CustomResourceDefinition): Status {
    const status = this.#statusOf(definition);
    const before = status.conditions ?? [];
    const condition = nonStructuralCondition(definition, this.#parts.naming.extensionPrefix);
    const conditions =
      condition === undefined
        ? before.filter(({ type }) => type !== nonStructuralType)
        : [...withCondition(before, condition, timestamp(this.#parts.now()))];
    return { ...status, conditions };
  }

  /** The status with its condition `Terminating`. */
  terminating(
    definition: CustomResourceDefinition,
    condition: { readonly status: "True" | "False"; readonly reason: string; readonly message: string },
  ): Status {
    const { status } = definition;
    const now = timestamp(this.#parts.now());
    const conditions = withCondition(status.conditions ?? [], { type: "Terminating", ...condition }, now);
    return { ...status, conditions: [...conditions] };
  }

  /** Decides by the summary, without reading the definition, because most changes of a definition do not affect the result. */
  isSettled(summary: DefinitionSummary): boolean {
    const { group, name, generation, names, acceptedNames, conditions } = summary;
    if (this.#parts.naming.isProtectedGroup(group)) return false;
    const lacksStructure = conditions.some(({ type }) => type === nonStructuralType);
    if (summary.preservesUnknownFields || lacksStructure) return false;
    const { conversion } = summary.outline.spec;
    const outline = {
      metadata: { name, generation },
      spec: { group, names, conversion },
      status: { acceptedNames, conditions: [...conditions] },
    };
    return isDeepEqual(this.#statusOf(outline), outline.status);
  }

  #statusOf(definition: DefinitionOutline): Status {
    const { spec, status } = definition;
    const now = timestamp(this.#parts.now());
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

  /** A definition with accepted names is first announced as about to be served; once it is served, it is established. */
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
    if (this.#parts.checksCaBundle && bundleProblem(definition.spec) !== undefined) {
      const why = "The conversion webhook CABundle is invalid";
      const refusal = { type, status: "False", reason: "InvalidCABundle", message: why };
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
    return this.#parts.isServed(spec.group, status.acceptedNames.plural);
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
