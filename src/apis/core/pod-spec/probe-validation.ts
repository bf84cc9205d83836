import { append } from "../../../apimachinery/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/field-error.js";
import { isHttpHeaderName } from "../../../apimachinery/validation/identifiers.js";
import { isValidPortNum } from "../../../apimachinery/validation/numbers.js";
import { isValidPortName } from "../../../apimachinery/validation/port-name.js";
import { validateNonnegative } from "../../../apimachinery/validation/values.js";
import type { HTTPGetAction, Lifecycle, Probe } from "../../gen/core-v1.js";
import { problemsAt } from "./value-checks.js";

/** Of a probe or a lifecycle hook; only probes may use gRPC. */
type Handler = Pick<Probe, "exec" | "httpGet" | "tcpSocket" | "grpc">;

export function validateProbe(probe: Probe | undefined, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateHandler(probe, path);
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const) {
    append(errors, validateNonnegative(probe[field] ?? 0, path.child(field)));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(invalid(path.child("terminationGracePeriodSeconds"), grace, "must be greater than 0"));
  }
  return errors;
}

export function validateLifecycle(lifecycle: Lifecycle, path: FieldPath): FieldError[] {
  const { postStart, preStop } = lifecycle;
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, path.child("postStart"))),
    ...(preStop === undefined ? [] : validateHandler(preStop, path.child("preStop"))),
  ];
}

function validateHandler(handler: Handler, path: FieldPath): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc } = handler;
  const checks: [name: string, check: () => FieldError[]][] = [];
  if (exec !== undefined) {
    checks.push([
      "exec",
      () => ((exec.command ?? []).length === 0 ? [required(path.child("exec", "command"), "")] : []),
    ]);
  }
  if (httpGet !== undefined) {
    checks.push(["httpGet", () => validateHttpGet(httpGet, path.child("httpGet"))]);
  }
  if (tcpSocket !== undefined) {
    checks.push(["tcpSocket", () => validatePort(tcpSocket.port, path.child("tcpSocket", "port"))]);
  }
  if (grpc !== undefined) {
    checks.push(["grpc", () => validatePort(grpc.port, path.child("grpc", "port"))]);
  }
  if (checks.length === 0) return [required(path, "must specify a handler type")];
  // Only the first is looked into.
  return checks.flatMap(([name, check], index) =>
    index === 0 ? check() : [forbidden(path.child(name), "may not specify more than 1 handler type")],
  );
}

function validateHttpGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { path: urlPath = "", scheme = "" } = action;
  if (urlPath === "") errors.push(required(path.child("path"), ""));
  append(errors, validatePort(action.port, path.child("port")));
  if (scheme !== "HTTP" && scheme !== "HTTPS") {
    errors.push(notSupported(path.child("scheme"), scheme, ["HTTP", "HTTPS"]));
  }
  for (const { name } of action.httpHeaders ?? []) {
    append(errors, problemsAt(path.child("httpHeaders"), name, isHttpHeaderName(name)));
  }
  return errors;
}

/** A number, or the name of one of the container's ports. */
export function validatePort(port: number | string, path: FieldPath): FieldError[] {
  return problemsAt(path, port, typeof port === "number" ? isValidPortNum(port) : isValidPortName(port));
}
