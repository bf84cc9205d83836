import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validateDriverName } from "../../checks/driver-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type {
  NamedResourcesAttribute,
  NamedResourcesInstance,
  ResourceSlice,
} from "../../gen/resource-v1alpha2.js";
import { refusedSliceField } from "../refused-field.js";
import { validateSemanticVersion } from "../semantic-version.js";
import { resourceV1alpha2Types } from "../v1alpha2/types.js";
import { onRequest } from "./versions.js";

const instanceRules = fieldRules<NamedResourcesInstance>(resourceV1alpha2Types, "NamedResourcesInstance");
const attributeRules = fieldRules<NamedResourcesAttribute>(resourceV1alpha2Types, "NamedResourcesAttribute");
const rules = fieldRules<ResourceSlice>(resourceV1alpha2Types, "ResourceSlice");

/** What a driver has on a node, as 1.30 knows it. */
export function classicSlices(context: ApiContext): ResourceDefinition<ResourceSlice> {
  return defineResource<ResourceSlice>({
    group: context.naming.group("resource"),
    resource: "resourceslices",
    kind: "ResourceSlice",
    namespaced: false,
    since: "1.30",
    until: "1.31",
    versions: [
      hub<ResourceSlice>(context, {
        ...onRequest,
        version: "v1alpha2",
        type: "resource/v1alpha2.ResourceSlice",
      }),
    ],
    storage: { version: "v1alpha2", prefix: "/resourceslices" },
    strategy: strategy<ResourceSlice>({
      validate: (_write, slice) => validate(slice),
      validateUpdate: (_write, slice, old) => [
        ...validate(slice),
        ...rules.unchanged(slice, old, FieldPath.root, "nodeName", "driverName"),
      ],
    }),
    returnsDeletedObject: true,
    selectableFields: {
      names: ["nodeName", "driverName"],
      values: ({ nodeName = "", driverName }) => ({ nodeName, driverName }),
      refusal: refusedSliceField(context.naming.group("resource")),
    },
    columns,
  });
}

function validate(slice: ResourceSlice): FieldError[] {
  const { driverName, namedResources } = slice;
  const errors = rules.check(slice, FieldPath.root, "nodeName");
  append(errors, validateDriverName(driverName, FieldPath.of("driverName")));
  if (namedResources === undefined) {
    // Kubernetes has no path for it.
    errors.push(required(FieldPath.of("<nil>"), "exactly one structured model field must be set"));
    return errors;
  }
  append(
    errors,
    validateInstances(namedResources.instances ?? [], FieldPath.of("namedResources", "instances")),
  );
  return errors;
}

function validateInstances(instances: readonly NamedResourcesInstance[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, instance] of instances.entries()) {
    const { name, attributes = [] } = instance;
    const at = path.index(index);
    append(errors, instanceRules.check(instance, at, "name"));
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    append(errors, validateAttributes(attributes, at.child("attributes")));
  }
  return errors;
}

const values = ["bool", "int", "intSlice", "quantity", "string", "stringSlice", "version"] as const;

function validateAttributes(attributes: readonly NamedResourcesAttribute[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, attribute] of attributes.entries()) {
    const { name, version } = attribute;
    const at = path.index(index);
    append(errors, attributeRules.check(attribute, at, "name"));
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    if (version !== undefined) append(errors, validateSemanticVersion(version, at.child("version")));
    const given = values.filter((value) => attribute[value] !== undefined);
    if (given.length === 0) errors.push(required(at, "exactly one value must be set"));
    if (given.length > 1) errors.push(invalid(at, given, "exactly one field must be set, not several"));
  }
  return errors;
}

const columns: TableColumns<ResourceSlice> = {
  columns: [
    nameColumn,
    column("Node", "string", "The node that has the resources."),
    column("Driver", "string", "Who allocates them."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.nodeName ?? "",
    object.driverName,
    ageCell(object, now),
  ],
};
