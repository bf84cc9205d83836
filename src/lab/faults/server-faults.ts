import type { FaultEngine } from "./fault-engine.js";
import type { FaultSpec } from "./fault-spec.js";
import { type ClientReport, FollowUps } from "./follow-ups.js";
import { type StormName, type StormOptions, stormNames, stormRules } from "./storms.js";

/** A rule in force. */
export interface InjectedFault {
  readonly name: string;
  /** How many requests it has hit. */
  readonly hits: number;
  remove(): void;
}

export interface StormReport {
  readonly storm: string;
  readonly seed: number;
  /** Hits, by rule. */
  readonly injected: Readonly<Record<string, number>>;
  /** What each client did after it was hit. */
  readonly clients: readonly ClientReport[];
}

export interface Storm {
  report(): StormReport;
  /** Ends it and returns its report. */
  stop(): StormReport;
}

/** Injects faults into a server, for tests of its clients. Equal seeds hit the same requests. */
export interface ServerFaults {
  /** Adds a rule, or replaces the one of that name. Throws a `RangeError` that says what is wrong with it. */
  inject(spec: FaultSpec, name?: string): InjectedFault;
  /** All rules, including those of `Fault` objects. */
  list(): readonly Pick<InjectedFault, "name" | "hits">[];
  /**
   * Starts a set of faults that clients of a cluster have to survive: `informer`, `conflicts`, `overload` or `network`. `match` limits it
   * to some clients. Throws a `RangeError` for another name.
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
