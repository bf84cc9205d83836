import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import {
  validateFinalizerName,
  validateStandardFinalizerName,
} from "../../../apimachinery/validation/finalizers.js";
import { validateNamespaceName } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { allVerbs, defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Namespace } from "../../gen/core-v1.js";

/**
 * Namespaces are deleted in two steps: a delete makes them Terminating; the namespace controller then empties them and removes the
 * finalizer in `spec` through the `finalize` subresource.
 */
export function namespaces(context: ApiContext): ResourceDefinition<Namespace> {
  const { naming } = context;
  const nameLabel = `${naming.domain}/metadata.name`;
  const ownFinalizer = naming.vendor;

  const setNameLabel = ({ metadata }: Namespace): void => {
    metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name ?? "" };
  };

  const main = strategy<Namespace>({
    validateName: validateNamespaceName,
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = { phase: "Active" };
      object.spec = { ...object.spec, finalizers: withFinalizer(object.spec.finalizers, ownFinalizer) };
    },
    prepareForUpdate(_context, object, old) {
      object.spec = { ...object.spec, finalizers: old.spec.finalizers };
      object.status = old.status;
    },
    termination: {
      begin(object) {
        object.status = { ...object.status, phase: "Terminating" };
      },
      isHeld: (object) => (object.spec.finalizers?.length ?? 0) > 0,
    },
    validate: (_context, object) => finalizerErrors(object, ownFinalizer, false),
    // A generated name is known only now.
    canonicalize: (_context, object) => setNameLabel(object),
  });

  return defineResource<Namespace>({
    group: "",
    resource: "namespaces",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    verbs: allVerbs.filter((verb) => verb !== "deletecollection"),
    versions: [
      hub<Namespace>(context, {
        version: "v1",
        type: "core/v1.Namespace",
        setDefaults(object) {
          object.status.phase ||= "Active";
          if ((object.metadata.name ?? "") !== "") setNameLabel(object);
        },
      }),
    ],
    storage: { version: "v1", prefix: "/namespaces" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      {
        kind: "part",
        name: "finalize",
        verbs: ["update"],
        strategy: strategy<Namespace>({
          ...main,
          prepareForUpdate(_context, object, old) {
            object.status = old.status;
          },
          validateUpdate: (_context, object) => finalizerErrors(object, ownFinalizer, true),
        }),
      },
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: strategy<Namespace>({
          ...main,
          resetFields: [["spec"]],
          prepareForUpdate(_context, object, old) {
            object.spec = old.spec;
          },
          validateUpdate: (_context, object) => phaseErrors(object),
        }),
      },
    ],
    selectableFields: {
      names: ["status.phase"],
      values: (object) => ({ "status.phase": object.status.phase ?? "" }),
    },
    columns,
  });
}

const columns: TableColumns<Namespace> = {
  columns: [
    nameColumn,
    column("Status", "string", "Active, or Terminating once its deletion was asked for."),
    ageColumn,
  ],
  cells: (object, now) => [object.metadata.name ?? "", object.status.phase ?? "", ageCell(object, now)],
};

function withFinalizer(finalizers: readonly string[] | undefined, own: string): string[] {
  const list = finalizers ?? [];
  return list.includes(own) ? [...list] : [...list, own];
}

/** For a new object, Kubernetes does not report which finalizer is invalid. */
function finalizerErrors(object: Namespace, own: string, withIndex: boolean): FieldError[] {
  const path = FieldPath.of("spec", "finalizers");
  return (object.spec.finalizers ?? []).flatMap((name, index) => {
    const namePath = withIndex ? path.index(index) : path;
    return [
      ...validateFinalizerName(name, namePath),
      ...validateStandardFinalizerName(name, [own], namePath),
    ];
  });
}

function phaseErrors(object: Namespace): FieldError[] {
  const phase = object.status.phase ?? "";
  const path = FieldPath.of("status", "Phase");
  if (object.metadata.deletionTimestamp === undefined) {
    return phase === "Active"
      ? []
      : [invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  return phase === "Terminating"
    ? []
    : [invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
