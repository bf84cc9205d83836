import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { isDns1123Label } from "../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import { validateDriverName } from "../checks/driver-name.js";
import { itself, validateList, validateSet } from "../checks/lists.js";
import type { ApiContext } from "../definition/api-context.js";
import { type FieldRules, fieldRules } from "../definition/field-rules.js";
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from "../gen/resource-v1.js";
import { validateDeviceConfiguration } from "./configuration.js";
import { validateFullyQualifiedName } from "./names.js";
import { validateSelectors } from "./selectors.js";
import { validateDeviceToleration } from "./taints.js";
import { resourceV1Types } from "./v1/types.js";

export const requestsMax = 32;
const subRequestsMax = 8;
const constraintsMax = 32;
export const configurationsMax = 32;

const requestRules = fieldRules<DeviceRequest>(resourceV1Types, "DeviceRequest");
const exactRules = fieldRules<ExactDeviceRequest>(resourceV1Types, "ExactDeviceRequest");
const subRequestRules = fieldRules<DeviceSubRequest>(resourceV1Types, "DeviceSubRequest");

/** `isStored` as for selectors and configurations. */
export function validateClaimSpec(
  spec: ResourceClaimSpec,
  path: FieldPath,
  context: ApiContext,
  isStored: boolean,
): FieldError[] {
  const errors = new ClaimValidation(spec.devices, context, isStored).validate(path.child("devices"));
  const { controller = "" } = spec;
  return controller === ""
    ? errors
    : [...errors, ...validateDriverName(controller, path.child("controller"))];
}

/** The names of a claim's requests, each with those of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNamesOf({ requests = [] }: DeviceClaim): RequestNames {
  return new Map(
    requests.map(({ name, firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((alternative) => alternative.name)),
    ]),
  );
}

const unknownRequest = "must be the name of a request in the claim";
const unknownAlternative = `${unknownRequest} or the name of a request and a subrequest separated by '/'`;

/** `request`, or since Kubernetes 1.33 `request/alternative`. */
export function validateRequestReference(
  name: string,
  path: FieldPath,
  names: RequestNames,
  level: ApiLevel,
): FieldError[] {
  if (!isAtLeast(level, "1.33")) {
    const errors = validateRequestName(name, path);
    return names.has(name) ? errors : [...errors, invalid(path, name, unknownRequest)];
  }
  const [request = "", alternative, more] = name.split("/", 3);
  if (more !== undefined) return [invalid(path, name, unknownAlternative)];
  const errors = validateRequestName(request, path);
  if (alternative !== undefined) append(errors, validateRequestName(alternative, path));
  const alternatives = names.get(request);
  const isKnown = alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
  if (!isKnown) errors.push(invalid(path, name, unknownAlternative));
  return errors;
}

function validateRequestName(name: string, path: FieldPath): FieldError[] {
  return isDns1123Label(name).map((problem) => invalid(path, name, problem));
}

class ClaimValidation {
  readonly #claim: DeviceClaim;
  readonly #context: ApiContext;
  readonly #isStored: boolean;
  readonly #names: RequestNames;

  constructor(claim: DeviceClaim, context: ApiContext, isStored: boolean) {
    this.#claim = claim;
    this.#context = context;
    this.#isStored = isStored;
    this.#names = requestNamesOf(claim);
  }

  validate(path: FieldPath): FieldError[] {
    const { requests, constraints, config } = this.#claim;
    const { level } = this.#context;
    return [
      ...validateSet(requests, path.child("requests"), requestsMax, {
        level,
        key: { of: ({ name }) => name, field: "name" },
        validate: (request, at) => this.#request(request, at),
      }),
      ...validateList(
        constraints,
        path.child("constraints"),
        constraintsMax,
        (constraint, at) => this.#constraint(constraint, at),
        level,
      ),
      ...validateList(
        config,
        path.child("config"),
        configurationsMax,
        (configuration, at) => this.#configuration(configuration, at),
        level,
      ),
    ];
  }

  #request(request: DeviceRequest, path: FieldPath): FieldError[] {
    const { exactly, firstAvailable = [] } = request;
    const { level } = this.#context;
    const errors = requestRules.check(request, path, "name");
    const oneOf = "exactly one of `exactly` or `firstAvailable` is required";
    const hasBoth = exactly !== undefined && firstAvailable.length > 0;
    const checksParts = !hasBoth || !isAtLeast(level, "1.35");
    if (checksParts && firstAvailable.length > 0) append(errors, this.#alternatives(firstAvailable, path));
    if (checksParts && exactly !== undefined) {
      // Older levels know no alternatives, and have these fields in the request itself.
      const at = isAtLeast(level, "1.33") ? path.child("exactly") : path;
      append(errors, this.#exactRequest(exactly, exactRules, at));
    }
    if (hasBoth) errors.push(invalid(path, undefined, `${oneOf}, but multiple fields are set`));
    else if (exactly === undefined && firstAvailable.length === 0) errors.push(required(path, oneOf));
    return errors;
  }

  #alternatives(alternatives: readonly DeviceSubRequest[], path: FieldPath): FieldError[] {
    return validateSet(alternatives, path.child("firstAvailable"), subRequestsMax, {
      level: this.#context.level,
      key: { of: ({ name }) => name, field: "name" },
      validate: (alternative, at) => [
        ...subRequestRules.check(alternative, at, "name"),
        ...this.#exactRequest(alternative, subRequestRules, at),
      ],
    });
  }

  #exactRequest(
    request: ExactDeviceRequest | DeviceSubRequest,
    rules: FieldRules<ExactDeviceRequest | DeviceSubRequest>,
    path: FieldPath,
  ): FieldError[] {
    const { selectors, tolerations } = request;
    const { level } = this.#context;
    const tolerationsPath = path.child("tolerations");
    return [
      ...rules.check(request, path, "deviceClassName"),
      ...validateSelectors(selectors, path.child("selectors"), this.#context, this.#isStored),
      ...validateAllocationMode(request, path),
      ...errorsOfEach(tolerations, (toleration, index) =>
        validateDeviceToleration(toleration, tolerationsPath.index(index), level),
      ),
    ];
  }

  #constraint(
    { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
    path: FieldPath,
  ): FieldError[] {
    const { level, isEnabled } = this.#context;
    const errors = this.#references(requests, path);
    if (matchAttribute !== undefined) {
      append(errors, validateFullyQualifiedName(matchAttribute, path.child("matchAttribute"), level));
    } else if (distinctAttribute !== undefined) {
      append(errors, validateFullyQualifiedName(distinctAttribute, path.child("distinctAttribute"), level));
    } else if (isEnabled("DRAConsumableCapacity")) {
      const oneOf = 'exactly one of "matchAttribute" or "distinctAttribute" is required';
      errors.push(required(path, `${oneOf}, but multiple fields are set`));
    } else errors.push(required(path.child("matchAttribute"), ""));
    return errors;
  }

  #configuration(configuration: DeviceClaimConfiguration, path: FieldPath): FieldError[] {
    return [
      ...this.#references(configuration.requests, path),
      ...validateDeviceConfiguration(configuration, path, this.#isStored),
    ];
  }

  #references(requests: readonly string[] | undefined, path: FieldPath): FieldError[] {
    const { level } = this.#context;
    return validateSet(requests, path.child("requests"), requestsMax, {
      level,
      key: itself,
      validate: (name, at) => validateRequestReference(name, at, this.#names, level),
    });
  }
}

function validateAllocationMode(
  { allocationMode = "", count = 0 }: ExactDeviceRequest,
  path: FieldPath,
): FieldError[] {
  const countPath = path.child("count");
  if (allocationMode === "All") {
    const why = "must not be specified when allocationMode is 'All'";
    return Number(count) === 0 ? [] : [invalid(countPath, count, why)];
  }
  if (allocationMode === "ExactCount") {
    return count > 0 ? [] : [invalid(countPath, count, "must be greater than zero")];
  }
  return [notSupported(path.child("allocationMode"), allocationMode, ["All", "ExactCount"])];
}
