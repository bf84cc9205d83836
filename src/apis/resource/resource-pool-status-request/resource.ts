import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { isDns1123SubdomainCaseless } from "../../../apimachinery/validation/dns-names.js";
import { validateConditions } from "../../checks/condition-validation.js";
import { validateList } from "../../checks/lists.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from "../../gen/resource-v1alpha3.js";
import { validatePoolSegments } from "../names.js";
import { resourceV1alpha3Types } from "../v1alpha3/types.js";
import { resourcePoolStatusRequestColumns } from "./columns.js";

const poolsDefault = 100;
const poolsMax = 1000;
const conditionsMax = 10;

const rules = fieldRules<ResourcePoolStatusRequest>(resourceV1alpha3Types, "ResourcePoolStatusRequest");
const specRules = fieldRules<ResourcePoolStatusRequestSpec>(
  resourceV1alpha3Types,
  "ResourcePoolStatusRequestSpec",
);
const statusRules = fieldRules<ResourcePoolStatusRequestStatus>(
  resourceV1alpha3Types,
  "ResourcePoolStatusRequestStatus",
);
const poolRules = fieldRules<PoolStatus>(resourceV1alpha3Types, "PoolStatus");

export function resourcePoolStatusRequests(
  context: ApiContext,
): ResourceDefinition<ResourcePoolStatusRequest> {
  const specPath = FieldPath.of("spec");
  const statusPath = FieldPath.of("status");
  const main = strategy<ResourcePoolStatusRequest>({
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_write, request) {
      request.status = undefined;
    },
    prepareForUpdate(_write, request, old) {
      request.status = old.status;
    },
    validate: (_write, { spec }) => validateSpec(spec, specPath),
    validateUpdate: (_write, request, old) => rules.unchanged(request, old, FieldPath.root, "spec"),
  });
  return defineResource<ResourcePoolStatusRequest>({
    group: context.naming.group("resource"),
    resource: "resourcepoolstatusrequests",
    kind: "ResourcePoolStatusRequest",
    namespaced: false,
    since: "1.36",
    versions: [
      hub<ResourcePoolStatusRequest>(context, {
        version: "v1alpha3",
        since: "1.36",
        type: "resource/v1alpha3.ResourcePoolStatusRequest",
        enabledByDefault: false,
        lifecycle: { introduced: "1.36", deprecated: "1.39", removed: "1.42" },
        setDefaults({ spec }) {
          spec.limit ??= poolsDefault;
        },
      }),
    ],
    storage: { version: "v1alpha3", prefix: "/resourcepoolstatusrequests" },
    strategy: main,
    returnsDeletedObject: true,
    columns: resourcePoolStatusRequestColumns,
    subresources: [
      statusPart(main, {
        resetFields: [["metadata"], ["spec"]],
        prepareForUpdate: (_write, request, old) => resetMetadataForStatus(request, old),
        // A request is answered once.
        validateUpdate: (_write, request, old) =>
          old.status === undefined
            ? validateStatus(request.status, statusPath)
            : rules.unchanged(request, old, FieldPath.root, "status"),
      }),
    ],
  });
}

function validateSpec(spec: ResourcePoolStatusRequestSpec, path: FieldPath): FieldError[] {
  const { driver, poolName } = spec;
  const errors = validateDriver(driver, path.child("driver"));
  if (poolName !== undefined) append(errors, validatePoolSegments(poolName, path.child("poolName")));
  return [...errors, ...specRules.check(spec, path, "limit")];
}

/**
 * Unlike in claims and slices, the name may have the length of a subdomain, and the error says that upper and lower case are the same.
 */
function validateDriver(driver: string, path: FieldPath): FieldError[] {
  if (driver === "") return [required(path, "")];
  return isDns1123SubdomainCaseless(driver).map((problem) => invalid(path, driver, problem));
}

function validateStatus(status: ResourcePoolStatusRequestStatus | undefined, path: FieldPath): FieldError[] {
  if (status === undefined) return [];
  const { pools, conditions } = status;
  return [
    ...statusRules.check(status, path, "poolCount"),
    ...validateList(pools, path.child("pools"), poolsMax, validatePool),
    ...validateList(conditions, path.child("conditions"), conditionsMax, () => []),
    ...validateConditions((conditions ?? []).slice(0, conditionsMax), path.child("conditions")),
  ];
}

function validatePool(pool: PoolStatus, path: FieldPath): FieldError[] {
  const { driver = "", poolName = "" } = pool;
  const poolPath = path.child("poolName");
  return [
    ...validateDriver(driver, path.child("driver")),
    ...(poolName === "" ? [required(poolPath, "")] : validatePoolSegments(poolName, poolPath)),
    ...poolRules.check(pool, path, "generation", "resourceSliceCount", "totalDevices", "allocatedDevices"),
    ...poolRules.check(pool, path, "availableDevices", "unavailableDevices", "nodeName", "validationError"),
  ];
}
