import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { duplicate, type FieldError, FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import { validateDriverName } from "../../checks/driver-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ObjectMeta } from "../../gen/meta-v1.js";
import type {
  DriverRequests,
  ResourceClaimParameters,
  ResourceClassParameters,
  ResourceFilter,
  VendorParameters,
} from "../../gen/resource-v1alpha2.js";
import { validateSelector } from "./attribute-selector.js";
import { referenceCell, validateReference } from "./references.js";
import { onRequest } from "./versions.js";

const versionAttributes = { ...onRequest, version: "v1alpha2" } as const;
const oneModel = "exactly one structured model field must be set";

/** What a claim asks of drivers whose resources the scheduler knows. */
export function resourceClaimParameters(context: ApiContext): ResourceDefinition<ResourceClaimParameters> {
  const validate = (parameters: ResourceClaimParameters, isStored: boolean): FieldError[] => [
    ...validateReference(parameters.generatedFrom, FieldPath.of("generatedFrom")),
    ...validateRequests(parameters.driverRequests ?? [], isStored, context),
  ];
  return defineResource<ResourceClaimParameters>({
    group: context.naming.group("resource"),
    resource: "resourceclaimparameters",
    kind: "ResourceClaimParameters",
    singular: "resourceclaimparameters",
    namespaced: true,
    since: "1.30",
    until: "1.31",
    versions: [
      hub<ResourceClaimParameters>(context, {
        ...versionAttributes,
        type: "resource/v1alpha2.ResourceClaimParameters",
      }),
    ],
    storage: { version: "v1alpha2", prefix: "/resourceclaimparameters" },
    strategy: strategy<ResourceClaimParameters>({
      validate: (_write, parameters) => validate(parameters, false),
      validateUpdate: (_write, parameters, old) =>
        validate(parameters, isDeepEqual(parameters.driverRequests, old.driverRequests)),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

/** What a class adds to the requests of its claims. */
export function resourceClassParameters(context: ApiContext): ResourceDefinition<ResourceClassParameters> {
  const validate = (parameters: ResourceClassParameters): FieldError[] => [
    ...validateReference(parameters.generatedFrom, FieldPath.of("generatedFrom")),
    ...validateFilters(parameters.filters ?? [], context),
    ...validateVendorParameters(parameters.vendorParameters ?? []),
  ];
  return defineResource<ResourceClassParameters>({
    group: context.naming.group("resource"),
    resource: "resourceclassparameters",
    kind: "ResourceClassParameters",
    singular: "resourceclassparameters",
    namespaced: true,
    since: "1.30",
    until: "1.31",
    versions: [
      hub<ResourceClassParameters>(context, {
        ...versionAttributes,
        type: "resource/v1alpha2.ResourceClassParameters",
      }),
    ],
    storage: { version: "v1alpha2", prefix: "/resourceclassparameters" },
    strategy: strategy<ResourceClassParameters>({
      validate: (_write, parameters) => validate(parameters),
      validateUpdate: (_write, parameters) => validate(parameters),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

function validateRequests(
  drivers: readonly DriverRequests[],
  isStored: boolean,
  context: ApiContext,
): FieldError[] {
  const path = FieldPath.of("driverRequests");
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { driverName, requests = [] }] of drivers.entries()) {
    const at = path.index(index);
    append(errors, validateDriver(driverName, at, names));
    const requestsPath = at.child("requests");
    for (const [place, { namedResources }] of requests.entries()) {
      const requestPath = requestsPath.index(place);
      if (namedResources === undefined) errors.push(required(requestPath, oneModel));
      else {
        const selectorPath = requestPath.child("namedResources", "selector");
        append(errors, validateSelector(namedResources.selector, selectorPath, context, isStored));
      }
    }
    if (requests.length === 0) {
      errors.push(required(requestsPath, "empty entries with no requests are not allowed"));
    }
  }
  return errors;
}

function validateFilters(filters: readonly ResourceFilter[], context: ApiContext): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { driverName, namedResources }] of filters.entries()) {
    const at = FieldPath.of("filters").index(index);
    append(errors, validateDriver(driverName, at, names));
    if (namedResources === undefined) errors.push(required(at, oneModel));
    else {
      const path = at.child("namedResources", "selector");
      append(errors, validateSelector(namedResources.selector, path, context, false));
    }
  }
  return errors;
}

function validateVendorParameters(parameters: readonly VendorParameters[]): FieldError[] {
  const path = FieldPath.of("vendorParameters");
  const names = new Set<string>();
  return parameters.flatMap(({ driverName }, index) => validateDriver(driverName, path.index(index), names));
}

function validateDriver(name = "", path: FieldPath, names: Set<string>): FieldError[] {
  const at = path.child("driverName");
  const errors = validateDriverName(name, at);
  if (names.has(name)) errors.push(duplicate(at, name));
  names.add(name);
  return errors;
}

interface Parameters {
  metadata: ObjectMeta;
  readonly generatedFrom?: ResourceClaimParameters["generatedFrom"];
}

const columns: TableColumns<Parameters> = {
  columns: [
    nameColumn,
    column("GeneratedFrom", "string", "The vendor's object that says the same."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    referenceCell(object.generatedFrom),
    ageCell(object, now),
  ],
};
