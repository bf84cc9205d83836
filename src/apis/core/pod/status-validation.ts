import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  hasErrors,
  internalError,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import {
  type IpRules,
  type IpWarningWords,
  ipWarnings,
  validateIpField,
} from "../../../apimachinery/validation/ip-fields.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from "../../gen/core-v1.js";
import { validatePodAnnotations } from "../pod-spec/annotation-validation.js";
import { allContainers } from "../pod-spec/containers.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { coreV1Types } from "../v1/types.js";
import { validateClaimStatuses } from "./claim-status-validation.js";
import { validateContainerStatuses } from "./container-status-validation.js";
import { validateAnnotationChanges } from "./update-validation.js";

const statusRules = fieldRules<PodStatus>(coreV1Types, "PodStatus");
const conditionRules = fieldRules<PodCondition>(coreV1Types, "PodCondition");

export function validatePodStatusUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const path = FieldPath.of("status");
  const { status } = pod;
  const { level, naming } = options;
  const errors = [
    ...validateAnnotationChanges(pod, old, options),
    ...validatePodAnnotations(pod, FieldPath.of("metadata", "annotations"), options),
    ...validateConditions(pod, level),
    ...validateNominatedNode(pod, old, path.child("nominatedNodeName"), options),
  ];
  if (isAtLeast(level, "1.33")) {
    append(errors, statusRules.check(status, path, "observedGeneration"));
  }
  if (isAtLeast(level, "1.32")) {
    append(errors, statusRules.unchanged(status, old.status, path, "qosClass"));
  }
  for (const field of ["containerStatuses", "initContainerStatuses"] as const) {
    append(errors, validateStates(status[field], old.status[field], policiesOf(old.spec), path.child(field)));
  }
  if (isAtLeast(level, "1.29")) {
    // Ephemeral containers are never restarted.
    const field = "ephemeralContainerStatuses";
    append(errors, validateStates(status[field], old.status[field], neverRestarted, path.child(field)));
  }
  append(errors, validateClaimStatuses(pod, path, level, naming));
  for (const [field, kind] of [
    ["podIPs", "PodIP"],
    ["hostIPs", "HostIP"],
  ] as const) {
    const at = path.child(field);
    if (field === "hostIPs") append(errors, validateFirstHostIp(status, at));
    // Invalid stored addresses must not block updates of the status.
    if (isAtLeast(options.level, "1.33")) {
      const known = new Set((old.status[field] ?? []).map(({ ip = "" }) => ip));
      append(errors, validateAddresses({ list: status[field], kind }, at, options.ips, known));
      continue;
    }
    const found = validateAddresses({ list: status[field], kind }, at, options.ips);
    if (found.length === 0) continue;
    if (!hasErrors(() => validateAddresses({ list: old.status[field], kind }, at, options.ips))) {
      append(errors, found);
    }
  }
  append(errors, validateContainerStatuses(pod, path, options));
  return errors;
}

function validateFirstHostIp({ hostIP, hostIPs = [] }: PodStatus, path: FieldPath): FieldError[] {
  const first = hostIPs[0]?.ip;
  if (first === undefined || first === hostIP) return [];
  return [invalid(path.index(0).child("ip"), first, "must be equal to `hostIP`")];
}

/** Whether a container that has ended with this code may be restarted. */
type RestartRule = (name: string, exitCode: number) => boolean;

const neverRestarted: RestartRule = () => false;

/** Follows the pod's restart policy, unless the container has one of its own, or a rule for the code. */
function policiesOf(spec: PodSpec): RestartRule {
  const containers = new Map(allContainers(spec).map((container) => [container.name, container]));
  const restartsAll = [...containers.values()].some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );
  return (name, exitCode) => {
    const { restartPolicy = spec.restartPolicy, restartPolicyRules = [] } = containers.get(name) ?? {};
    if (restartPolicy === "Always" || restartsAll) return true;
    if (exitCode !== 0 && restartPolicy === "OnFailure") return true;
    return restartPolicyRules.some(({ exitCodes }) => {
      if (exitCodes === undefined) return false;
      const isNamed = (exitCodes.values ?? []).includes(exitCode);
      return exitCodes.operator === "NotIn" ? !isNamed : isNamed;
    });
  };
}

/** Kubernetes' own conditions, whose names need no check. */
const systemConditions: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

function validateConditions({ status }: Pod, level: ApiLevel): FieldError[] {
  const isLater = isAtLeast(level, "1.33");
  // Before 1.33, Kubernetes' path names the metadata.
  const path = FieldPath.of(isLater ? "status" : "metadata", "conditions");
  return errorsOfEach(status.conditions, (condition, index) => {
    const at = path.index(index);
    const { type } = condition;
    const errors = isLater ? conditionRules.check(condition, at, "observedGeneration") : [];
    if (systemConditions.has(type)) return errors;
    return [...errors, ...conditionRules.checkValue("type", type, at.child("Type"))];
  });
}

/** The node that is to become free for a pod. */
function validateNominatedNode(
  { status: { nominatedNodeName = "" } }: Pod,
  { spec, status }: Pod,
  path: FieldPath,
  { clearsNominatedNode }: PodValidationOptions,
): FieldError[] {
  if (nominatedNodeName === "" || nominatedNodeName === status.nominatedNodeName) return [];
  const errors = statusRules.checkValue("nominatedNodeName", nominatedNodeName, path);
  if (clearsNominatedNode && (spec.nodeName ?? "") !== "") {
    errors.push(forbidden(path, "may not be set on pods that are already bound to a node"));
  }
  return errors;
}

/** A container without restarts cannot leave the terminated state. */
function validateStates(
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  mayRestart: RestartRule,
  path: FieldPath,
): FieldError[] {
  const startedAgain = new Map<string, number>();
  for (const { name, state } of statuses ?? []) {
    if (state.terminated === undefined) startedAgain.set(name, (startedAgain.get(name) ?? 0) + 1);
  }
  return (old ?? []).flatMap(({ name, state: { terminated } }, index) => {
    if (terminated === undefined) return [];
    if (mayRestart(name, terminated.exitCode)) return [];
    return Array.from({ length: startedAgain.get(name) ?? 0 }, () =>
      forbidden(path.index(index).child("state"), "may not be transitioned to non-terminated state"),
    );
  });
}

/** Warns of addresses in unusual forms, from 1.33 on. */
export function podStatusWarnings({ status }: Pod, words: IpWarningWords): string[] {
  return (["podIPs", "hostIPs"] as const).flatMap((field) =>
    (status[field] ?? []).flatMap(({ ip = "" }, index) =>
      ipWarnings(FieldPath.of("status", field).index(index).child("ip"), ip, words),
    ),
  );
}

interface AddressList {
  readonly list: readonly { readonly ip?: string | undefined }[] | undefined;
  readonly kind: "PodIP" | "HostIP";
}

/** `known`: addresses that the old object has. */
function validateAddresses(
  { list, kind }: AddressList,
  path: FieldPath,
  rules: IpRules,
  known?: ReadonlySet<string>,
): FieldError[] {
  const addresses = (list ?? []).map(({ ip = "" }) => ip);
  const errors = addresses.flatMap((ip, index) => validateIpField(path.index(index), ip, rules, known));
  if (addresses.length <= 1) return errors;
  // Since 1.33, the families alone decide.
  const duplicates = isAtLeast(rules.level, "1.33")
    ? []
    : [...repeated(addresses)].map(([index, ip]) => duplicate(path.index(index), printAddress(kind, ip)));
  const wrongFamilies = familyErrors(addresses, kind, path, rules.level);
  // Kubernetes checks the two lists in different orders.
  errors.push(...(kind === "HostIP" ? [...duplicates, ...wrongFamilies] : [...wrongFamilies, ...duplicates]));
  return errors;
}

function familyErrors(
  addresses: readonly string[],
  kind: AddressList["kind"],
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const errors: FieldError[] = [];
  const families = new Set(addresses.map(ipFamilyOf));
  const wrong = addresses.findIndex((ip) => ipFamilyOf(ip) === undefined);
  if (wrong >= 0) {
    const why = isAtLeast(level, "1.27")
      ? `invalid IP[${wrong}]: ${addresses[wrong]}`
      : "ip <nil> is invalid";
    errors.push(internalError(path, `failed to check for dual stack with error:${why}`));
  }
  if (wrong >= 0 || families.size !== 2 || addresses.length > 2) {
    const shown = printList(
      `core.${kind}`,
      addresses.map((ip) => printAddress(kind, ip)),
    );
    errors.push(invalid(path, shown, "may specify no more than one IP for each IP family"));
  }
  return errors;
}

function printAddress(kind: AddressList["kind"], ip: string): PrintedValue {
  return printStruct(`core.${kind}`, { IP: ip });
}
