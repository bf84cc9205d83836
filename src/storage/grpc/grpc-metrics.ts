import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

export type GrpcCallType = "unary" | "bidi_stream";

/** Counts the calls of a gRPC client. */
export interface GrpcObserver {
  /** `method`: its path, as in `/package.Service/Method`. */
  started(method: string, type: GrpcCallType): GrpcCallFigures;
}

/** Counts the events of one method's calls. */
export interface GrpcCallFigures {
  /** A message was sent. */
  sent(): void;
  received(): void;
  /** The call ended with this status code. */
  handled(status: number): void;
}

/** Source: gRPC documentation, "Status Codes"; in the order of their numbers. */
const codeNames = [
  "OK",
  "Canceled",
  "Unknown",
  "InvalidArgument",
  "DeadlineExceeded",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "ResourceExhausted",
  "FailedPrecondition",
  "Aborted",
  "OutOfRange",
  "Unimplemented",
  "Internal",
  "Unavailable",
  "DataLoss",
  "Unauthenticated",
];

/** The name of a gRPC status code; `Unknown` for other numbers. */
export function grpcCodeName(status: number): string {
  return codeNames[status] ?? "Unknown";
}

/** The metrics of a gRPC client under the names of kube-apiserver 1.23's etcd client. */
export class GrpcMetrics implements GrpcObserver {
  readonly #started: MetricFamily<Figure>;
  readonly #handled: MetricFamily<Figure>;
  readonly #sent: MetricFamily<Figure>;
  readonly #received: MetricFamily<Figure>;
  /** By the path: methods are few, and each has one type. */
  readonly #methods = new Map<string, MethodFigures>();

  constructor(metrics: Metrics) {
    const labels = ["grpc_type", "grpc_service", "grpc_method"];
    const counter = (name: string, help: string, more: readonly string[] = []) =>
      metrics.counter({ name: `grpc_client_${name}`, help, labels: [...labels, ...more] });
    this.#started = counter("started_total", "Calls to the store that were begun.");
    this.#handled = counter("handled_total", "Calls to the store that have ended, by their status code.", [
      "grpc_code",
    ]);
    this.#sent = counter("msg_sent_total", "Messages sent to the store.");
    this.#received = counter("msg_received_total", "Messages received from the store.");
  }

  started(method: string, type: GrpcCallType): GrpcCallFigures {
    let figures = this.#methods.get(method);
    if (figures === undefined) {
      const [, service = "", name = ""] = method.split("/");
      const values = [type, service, name];
      figures = new MethodFigures(
        this.#started.with(...values),
        this.#sent.with(...values),
        this.#received.with(...values),
        (code) => this.#handled.with(...values, code),
      );
      this.#methods.set(method, figures);
    }
    figures.started.value++;
    return figures;
  }
}

class MethodFigures implements GrpcCallFigures {
  readonly started: Figure;
  readonly #sent: Figure;
  readonly #received: Figure;
  readonly #handledWith: (code: string) => Figure;
  readonly #handled: (Figure | undefined)[] = [];

  constructor(started: Figure, sent: Figure, received: Figure, handledWith: (code: string) => Figure) {
    this.started = started;
    this.#sent = sent;
    this.#received = received;
    this.#handledWith = handledWith;
  }

  sent(): void {
    this.#sent.value++;
  }

  received(): void {
    this.#received.value++;
  }

  handled(status: number): void {
    // A server may send any number.
    const index = codeNames[status] === undefined ? codeNames.indexOf("Unknown") : status;
    this.#handled[index] ??= this.#handledWith(codeNames[index] ?? "Unknown");
    this.#handled[index].value++;
  }
}
