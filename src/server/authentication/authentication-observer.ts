import { accountUserName } from "../../access/authentication/service-account-claims.js";
import type { Identification } from "../../access/authentication/union.js";
import type { Naming } from "../../naming/naming.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Figure } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Seconds: 1 ms to 16 s, doubling, as in Kubernetes. */
const durationBounds = exponentialBuckets(0.001, 15);

/** The users that Kubernetes counts by their names. */
function namedUsers({ prefix, nodeAgentName, systemNamespace }: Naming): readonly string[] {
  const account = accountUserName(systemNamespace, "default");
  return ["admin", "client", `${prefix}_proxy`, nodeAgentName, account];
}

/** Limits the log, so that a client that retries in a loop does not fill the disk. */
const linesPerSecond = 10;

/** Counts authentications, and logs why one failed, which the client is not told. */
export class AuthenticationObserver {
  readonly #log: Logger;
  readonly #success: Outcome;
  readonly #failure: Outcome;
  readonly #users: ReadonlyMap<string, Figure>;
  readonly #emailUsers: Figure;
  readonly #otherUsers: Figure;
  #second = 0;
  #lines = 0;
  #suppressed = 0;

  constructor(metrics: Metrics, log: Logger, naming: Naming) {
    this.#log = log;
    const attempts = metrics.counter({
      name: "authentication_attempts",
      help: "Authentications by result: success or error.",
      labels: ["result"],
    });
    const durations = metrics.histogram({
      name: "authentication_duration_seconds",
      help: "Time that authentication took, in seconds, by result.",
      labels: ["result"],
      bounds: durationBounds,
    });
    const outcome = (result: string): Outcome => ({
      attempts: attempts.with(result),
      duration: durations.with(result),
    });
    const users = metrics.counter({
      name: "authenticated_user_requests",
      help: "Authenticated requests by user: the names of a few components, or else what kind of name it is.",
      labels: ["username"],
    });
    this.#users = new Map(namedUsers(naming).map((name) => [name, users.with(name)]));
    this.#emailUsers = users.with("email_id");
    this.#otherUsers = users.with("other");
    this.#success = outcome("success");
    this.#failure = outcome("error");
  }

  readonly observe = (context: RequestContext, result: Identification, startedAt: number): void => {
    const outcome = result.kind === "user" ? this.#success : this.#failure;
    outcome.attempts.value++;
    outcome.duration.observe((performance.now() - startedAt) / 1000);
    if (result.kind === "refused") this.#report(context, result.reasons);
    else this.#countUser(result.user.name);
  };

  #countUser(name: string): void {
    const named = this.#users.get(name) ?? (name.includes("@") ? this.#emailUsers : this.#otherUsers);
    named.value++;
  }

  #report({ exchange, receivedAt }: RequestContext, reasons: readonly string[]): void {
    if (reasons.length === 0) {
      this.#log.verbose(
        { level: 4, file: "server/authentication/authentication-observer" },
        "a request without credentials was refused",
        { client: exchange.connection.remoteAddress },
      );
      return;
    }
    const second = Math.floor(receivedAt.getTime() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
    }
    if (this.#lines >= linesPerSecond) {
      this.#suppressed++;
      return;
    }
    this.#lines++;
    this.#log.warn("unable to authenticate the request", {
      reason: reasons.join("; "),
      method: exchange.method,
      client: exchange.connection.remoteAddress,
      ...(this.#suppressed > 0 && { suppressed: this.#suppressed }),
    });
    this.#suppressed = 0;
  }
}

interface Outcome {
  readonly attempts: Figure;
  readonly duration: Distribution;
}
