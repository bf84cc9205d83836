import type { FaultEngine } from "./fault-engine.js";
import type { FaultSpec } from "./fault-spec.js";
import { type ClientReport, FollowUps } from "./follow-ups.js";
import { type StormName, type StormOptions, stormNames, stormRules } from "./storms.js";

/** A rule at work. */
export interface InjectedFault {
  readonly name: string;
  /** How many requests it has hit. */
  readonly hits: number;
  /** Ends it. */
  remove(): void;
}

export interface StormReport {
  readonly storm: string;
  readonly seed: number;
  /** Hits, by rule. */
  readonly injected: Readonly<Record<string, number>>;
  /** What each client that was hit did after it. */
  readonly clients: readonly ClientReport[];
}

export interface Storm {
  report(): StormReport;
  /** Ends it. */
  stop(): StormReport;
}

/** Faults of a server, for tests of its clients. The same seeds hit the same requests. */
export interface ServerFaults {
  /** Adds a rule, or replaces the one of the name. Throws a `RangeError` that says what is wrong with it. */
  inject(spec: FaultSpec, name?: string): InjectedFault;
  /** Those of `Fault` objects too. */
  list(): readonly Pick<InjectedFault, "name" | "hits">[];
  /**
   * Begins a set of faults that clients of a cluster have to survive: `informer`, `conflicts`, `overload`, `network`. Name those whom it
   * meets by `match`. Throws a `RangeError` for another name.
   */
  storm(name: StormName, options?: StormOptions): Storm;
}

export function serverFaults(engine: FaultEngine): ServerFaults {
  let number = 0;
  return {
    inject(spec, name = `fault-${++number}`) {
      const rule = engine.set(name, spec);
      return {
        name,
        get hits() {
          return rule.hits;
        },
        remove: () => engine.end(rule),
      };
    },
    list: () => [...engine.rules].map(({ name, hits }) => ({ name, hits })),
    storm(name, options = {}) {
      if (!stormNames.includes(name)) {
        throw new RangeError(`no storm ${JSON.stringify(name)}, but ${stormNames.join(", ")}`);
      }
      const rules = stormRules(name, options).map(([rule, spec]) => engine.set(rule, spec));
      const followUps = new FollowUps(rules);
      const unfollow = engine.follow(followUps);
      const report = (): StormReport => ({
        storm: name,
        seed: options.seed ?? 1,
        injected: Object.fromEntries(rules.map((rule) => [rule.name, rule.hits])),
        clients: followUps.report(),
      });
      return {
        report,
        stop() {
          for (const rule of rules) engine.end(rule);
          unfollow();
          return report();
        },
      };
    },
  };
}
