import type { Distribution } from "../../telemetry/distribution.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Figure } from "../../telemetry/metric-family.js";
import type { RequestContext } from "../request/request-context.js";
import { dryRunOf, pathScope, requestVerb, type Scope } from "./request-labels.js";
import { entryOf } from "./resource-table.js";

interface Measures {
  readonly duration: Distribution;
  readonly ownDuration: Distribution | undefined;
  readonly size: Distribution | undefined;
}

interface RequestCountsParts {
  readonly withCode: (code: number) => Figure;
  readonly measures: () => Measures;
  readonly longRunning: (scope: Scope) => Figure;
}

/** Counters of requests that differ only in their status codes. */
export class RequestCounts {
  readonly #make: RequestCountsParts;
  readonly #byCode = new Map<number, Figure>();
  readonly #longRunning = new Map<Scope, Figure>();
  #measures: Measures | undefined;

  constructor(parts: RequestCountsParts) {
    this.#make = parts;
  }

  withCode(code: number): Figure {
    return entryOf(this.#byCode, code, () => this.#make.withCode(code));
  }

  longRunning(scope: Scope): Figure {
    return entryOf(this.#longRunning, scope, () => this.#make.longRunning(scope));
  }

  /** Undefined when there are none yet and `make` is false. */
  measures(make: boolean): Measures | undefined {
    if (make) this.#measures ??= this.#make.measures();
    return this.#measures;
  }
}

interface TargetParts {
  readonly make: (context: RequestContext, scope: Scope, children: MetricChildren) => RequestCounts;
  readonly hasConnect: boolean;
}

/** A resource, a subresource or another path, with the counters of its requests. */
export class Target {
  readonly children = new MetricChildren();
  readonly #make: TargetParts["make"];
  readonly #hasConnect: boolean;
  readonly #counts = new Map<string, Map<Scope, RequestCounts>>();
  readonly #dryRuns = new Map<string, RequestCounts>();

  constructor({ make, hasConnect }: TargetParts) {
    this.#make = make;
    this.#hasConnect = hasConnect;
  }

  countsOf(context: RequestContext): RequestCounts {
    const scope = pathScope(context.info);
    const verb = requestVerb(context, scope, this.#hasConnect);
    const dryRun = dryRunOf(context);
    if (dryRun !== "") {
      return entryOf(this.#dryRuns, `${verb} ${scope} ${dryRun}`, () =>
        this.#make(context, scope, this.children),
      );
    }
    const byScope = entryOf(this.#counts, verb, () => new Map<Scope, RequestCounts>());
    return entryOf(byScope, scope, () => this.#make(context, scope, this.children));
  }
}
