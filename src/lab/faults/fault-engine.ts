import type { LabelSelector } from "../../apimachinery/selectors/label-selector.js";
import { systemClock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { FaultRule, type FaultTarget } from "./fault-rule.js";
import type { FaultSpec } from "./fault-spec.js";
import type { FollowUps } from "./follow-ups.js";

/** Labels of the object that a request names; undefined when there is none. */
export type LabelsOf = (target: FaultTarget) => Promise<Readonly<Record<string, string>> | undefined>;

/** Receives each hit. */
export type HitObserver = (rule: FaultRule, target: FaultTarget | { readonly webhook: string }) => void;

/** The rules in force, in the order in which they were added. */
export class FaultEngine {
  readonly #rules = new Map<string, FaultRule>();
  #labelsOf: LabelsOf = async () => undefined;
  #observers: HitObserver[] = [];
  readonly #followed = new Set<FollowUps>();

  /** Sets where labels come from. */
  labelsBy(labelsOf: LabelsOf): void {
    this.#labelsOf = labelsOf;
  }

  onHit(observer: HitObserver): void {
    this.#observers.push(observer);
  }

  /** Shows it all requests and hits until the returned function is called. */
  follow(by: FollowUps): () => void {
    this.#followed.add(by);
    return () => void this.#followed.delete(by);
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  get rules(): Iterable<FaultRule> {
    return this.#rules.values();
  }

  /** Replaces the rule of this name. Throws a `RangeError`. */
  set(name: string, spec: FaultSpec): FaultRule {
    const rule = new FaultRule(name, spec);
    this.#rules.set(name, rule);
    return rule;
  }

  delete(name: string): void {
    this.#rules.delete(name);
  }

  /** Removes the rule, unless another one has its name by now. */
  end(rule: FaultRule): void {
    if (this.#rules.get(rule.name) === rule) this.#rules.delete(rule.name);
  }

  /** The rules that hit the request. */
  async hitsOf(target: FaultTarget): Promise<readonly FaultRule[]> {
    for (const each of this.#followed) each.seen(target);
    const hits: FaultRule[] = [];
    for (const rule of this.#rules.values()) {
      if (rule.isForWebhooks || !rule.matches(target)) continue;
      if (rule.selector !== undefined && !(await this.#isSelected(rule.selector, target))) continue;
      if (rule.meets()) hits.push(rule);
    }
    for (const rule of hits) {
      for (const each of this.#followed) each.hit(rule, target);
      this.#tell(rule, target);
    }
    return hits;
  }

  /** Waits as long as rules delay the webhook, or until `signal` aborts. */
  async beforeWebhook(webhook: string, signal: AbortSignal): Promise<void> {
    for (const rule of this.#rules.values()) {
      if (!rule.isForWebhooks || !rule.matchesWebhook(webhook) || !rule.meets()) continue;
      this.#tell(rule, { webhook });
      // In real time, because clients and their deadlines use it.
      await sleep(systemClock, rule.effect.webhookDelayMs, signal);
    }
  }

  async #isSelected(selector: LabelSelector, target: FaultTarget): Promise<boolean> {
    const labels = await this.#labelsOf(target);
    return labels !== undefined && selector.matches(labels);
  }

  #tell(rule: FaultRule, target: FaultTarget | { readonly webhook: string }): void {
    for (const observer of this.#observers) observer(rule, target);
  }
}
