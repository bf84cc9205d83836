import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  HTTPHeader,
  Lifecycle,
  PodSpec,
  Probe,
  SleepAction,
  TCPSocketAction,
} from "../../gen/core-v1.js";
import { stopSignals } from "../v1/types/stop-signals.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const probeRules = fieldRules<Probe>(coreV1Types, "Probe");
const httpGetRules = fieldRules<HTTPGetAction>(coreV1Types, "HTTPGetAction");
const tcpSocketRules = fieldRules<TCPSocketAction>(coreV1Types, "TCPSocketAction");
const grpcRules = fieldRules<GRPCAction>(coreV1Types, "GRPCAction");
const execRules = fieldRules<ExecAction>(coreV1Types, "ExecAction");
const headerRules = fieldRules<HTTPHeader>(coreV1Types, "HTTPHeader");

/** In the order in which the message lists them. */
const linuxStopSignals: readonly string[] = [...stopSignals].sort();
const windowsStopSignals: readonly string[] = ["SIGKILL", "SIGTERM"];

/** The handler of a probe or lifecycle hook; only probes may use gRPC, and only hooks may sleep. */
type Handler = Pick<Probe, "exec" | "httpGet" | "tcpSocket" | "grpc"> & {
  readonly sleep?: SleepAction | undefined;
};

export function validateProbe(probe: Probe | undefined, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  return [
    ...validateHandler(probe, path),
    ...probeRules.check(probe, path, "initialDelaySeconds", "timeoutSeconds", "periodSeconds"),
    ...probeRules.check(probe, path, "successThreshold", "failureThreshold", "terminationGracePeriodSeconds"),
  ];
}

export function validateLifecycle(
  lifecycle: Lifecycle,
  path: FieldPath,
  spec: PodSpec,
  options: PodValidationOptions,
): FieldError[] {
  const { postStart, preStop, stopSignal } = lifecycle;
  const sleepErrors = (sleep: SleepAction, at: FieldPath): FieldError[] =>
    validateSleep(sleep, at, spec.terminationGracePeriodSeconds, options);
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, path.child("postStart"), sleepErrors)),
    ...(preStop === undefined ? [] : validateHandler(preStop, path.child("preStop"), sleepErrors)),
    ...(stopSignal === undefined ? [] : validateStopSignal(stopSignal, path.child("stopSignal"), spec)),
  ];
}

function validateSleep(
  { seconds }: SleepAction,
  path: FieldPath,
  grace: number | bigint | undefined,
  { allowZeroSleep, level }: PodValidationOptions,
): FieldError[] {
  // Undefined: the pod's grace period is invalid, which is reported elsewhere.
  if (grace === undefined || (seconds >= (allowZeroSleep ? 0 : 1) && seconds <= grace)) return [];
  const least = allowZeroSleep ? "non-negative" : "greater than 0";
  const hint =
    allowZeroSleep || !isAtLeast(level, "1.32")
      ? ""
      : ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.";
  const why = `must be ${least} and less than terminationGracePeriodSeconds (${grace})${hint}`;
  return [invalid(path, seconds, why)];
}

function validateStopSignal(signal: string, path: FieldPath, { os }: PodSpec): FieldError[] {
  if (os === undefined) {
    return [forbidden(path, "may not be set for containers with empty `spec.os.name`")];
  }
  const supported =
    os.name === "windows" ? windowsStopSignals : os.name === "linux" ? linuxStopSignals : [signal];
  return supported.includes(signal) ? [] : [notSupported(path, signal, supported)];
}

function validateHandler(
  handler: Handler,
  path: FieldPath,
  validateSleepAction?: (sleep: SleepAction, at: FieldPath) => FieldError[],
): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const checks: [name: string, check: () => FieldError[]][] = [];
  if (exec !== undefined) {
    checks.push(["exec", () => execRules.check(exec, path.child("exec"), "command")]);
  }
  if (httpGet !== undefined) {
    checks.push(["httpGet", () => validateHttpGet(httpGet, path.child("httpGet"))]);
  }
  if (tcpSocket !== undefined) {
    checks.push(["tcpSocket", () => tcpSocketRules.check(tcpSocket, path.child("tcpSocket"), "port")]);
  }
  if (grpc !== undefined) {
    checks.push(["grpc", () => grpcRules.check(grpc, path.child("grpc"), "port")]);
  }
  if (sleep !== undefined) {
    checks.push(["sleep", () => validateSleepAction?.(sleep, path.child("sleep")) ?? []]);
  }
  if (checks.length === 0) return [required(path, "must specify a handler type")];
  // Only the first one is validated.
  return checks.flatMap(([name, check], index) =>
    index === 0 ? check() : [forbidden(path.child(name), "may not specify more than 1 handler type")],
  );
}

function validateHttpGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const errors = httpGetRules.check(action, path, "path", "port", "scheme");
  for (const { name } of action.httpHeaders ?? []) {
    append(errors, headerRules.checkValue("name", name, path.child("httpHeaders")));
  }
  return errors;
}
