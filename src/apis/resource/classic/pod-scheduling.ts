import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  longerThan,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateObjectName } from "../../checks/value-checks.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PodScheduling } from "../../gen/resource-v1alpha1.js";
import type { PodSchedulingContext } from "../../gen/resource-v1alpha3.js";
import { onRequest } from "./versions.js";

const nodesMax = 128;

/** The nodes that the scheduler offers to the drivers of a pod's claims, and those that they refuse. */
export function podSchedulingContexts(context: ApiContext): ResourceDefinition<PodSchedulingContext> {
  return defineResource<PodSchedulingContext>({
    ...shared(context),
    resource: "podschedulingcontexts",
    kind: "PodSchedulingContext",
    since: "1.27",
    until: "1.32",
    versions: [
      hub<PodSchedulingContext>(context, {
        ...onRequest,
        version: "v1alpha3",
        since: "1.31",
        type: "resource/v1alpha3.PodSchedulingContext",
      }),
      spoke<PodSchedulingContext, PodSchedulingContext>(context, {
        ...onRequest,
        version: "v1alpha2",
        until: "1.31",
        type: "resource/v1alpha2.PodSchedulingContext",
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: {
      version: "v1alpha3",
      before: { "1.31": { version: "v1alpha2" } },
      prefix: "/podschedulingcontexts",
    },
  });
}

/** As 1.26 calls them. */
export function podSchedulings(context: ApiContext): ResourceDefinition<PodScheduling> {
  return defineResource<PodScheduling>({
    ...shared(context),
    resource: "podschedulings",
    kind: "PodScheduling",
    since: "1.26",
    until: "1.27",
    versions: [
      hub<PodScheduling>(context, {
        ...onRequest,
        version: "v1alpha1",
        type: "resource/v1alpha1.PodScheduling",
      }),
    ],
    storage: { version: "v1alpha1", prefix: "/podschedulings" },
  });
}

/** Both have the same fields. */
function shared(context: ApiContext) {
  const main = strategy<PodScheduling>({
    resetFields: [["status"]],
    prepareForCreate(_write, scheduling) {
      scheduling.status = {};
    },
    prepareForUpdate(_write, scheduling, old) {
      scheduling.status = old.status;
    },
    validate: (_write, scheduling) => validate(scheduling),
    validateUpdate: (_write, scheduling) => validate(scheduling),
  });
  return {
    group: context.naming.group("resource"),
    namespaced: true,
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart(main, {
        prepareForUpdate(_write, scheduling, old) {
          if (isAtLeast(context.level, "1.30")) resetMetadataForStatus(scheduling, old);
        },
        validateUpdate: (_write, scheduling) => validateStatus(scheduling),
      }),
    ],
    columns,
  };
}

function validate({ spec }: PodScheduling): FieldError[] {
  return validateNodes(spec.potentialNodes, FieldPath.of("spec", "potentialNodes"));
}

function validateStatus({ status }: PodScheduling): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { name = "", unsuitableNodes }] of (status.resourceClaims ?? []).entries()) {
    const path = FieldPath.of("status", "claims").index(index);
    append(errors, validateNodes(unsuitableNodes, path.child("unsuitableNodes")));
    if (names.has(name)) errors.push(duplicate(path, name));
    names.add(name);
  }
  return errors;
}

function validateNodes(nodes: readonly string[] = [], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    append(
      errors,
      known.has(node) ? [duplicate(path.index(index), node)] : validateObjectName(node, path.index(index)),
    );
    known.add(node);
  }
  if (nodes.length > nodesMax) errors.push(longerThan(path, nodesMax));
  return errors;
}

const columns: TableColumns<PodScheduling> = {
  columns: [nameColumn, column("SelectedNode", "string", "The node that the scheduler prefers."), ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", object.spec.selectedNode ?? "", ageCell(object, now)],
};
