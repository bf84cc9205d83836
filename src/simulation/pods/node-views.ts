import type { Change, ChangeListener } from "../../informers/informer.js";
import type { BehaviourRules } from "../behaviour/behaviour-rules.js";
import type { NodeState } from "../behaviour/behaviour-spec.js";
import type { View } from "./cluster-views.js";
import type { NodeFacts, NodeView } from "./node-view.js";

/** The nodes, each with the state that its annotation or a rule sets. A new, changed or deleted rule counts as a change of its nodes. */
export class NodeViews implements Pick<View<NodeView>, "get" | "values" | "size" | "onChange"> {
  readonly #facts: View<NodeFacts>;
  readonly #rules: BehaviourRules;
  readonly #nodes = new Map<string, NodeView>();
  readonly #listeners = new Set<ChangeListener<NodeView>>();
  readonly #leave: (() => void)[] = [];

  constructor(facts: View<NodeFacts>, rules: BehaviourRules) {
    this.#facts = facts;
    this.#rules = rules;
  }

  start(): void {
    this.#leave.push(
      this.#facts.onChange(({ key, value }) => this.#set(key, value && this.#viewOf(value))),
      this.#rules.onChange((concerns) => {
        for (const facts of this.#facts.values()) {
          if (!concerns(facts)) continue;
          const view = this.#viewOf(facts);
          if (view.state !== this.#nodes.get(facts.key)?.state) this.#set(facts.key, view);
        }
      }),
    );
  }

  stop(): void {
    for (const leave of this.#leave) leave();
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(key: string): NodeView | undefined {
    return this.#nodes.get(key);
  }

  values(): Iterable<NodeView> {
    return this.#nodes.values();
  }

  onChange(listener: ChangeListener<NodeView>): () => void {
    this.#listeners.add(listener);
    for (const [key, value] of this.#nodes) listener({ key, value, previous: undefined });
    return () => void this.#listeners.delete(listener);
  }

  #viewOf(facts: NodeFacts): NodeView {
    const state: NodeState = facts.ownState ?? this.#rules.ofNode(facts) ?? "ready";
    return { ...facts, state };
  }

  #set(key: string, value: NodeView | undefined): void {
    const change: Change<NodeView> = { key, value, previous: this.#nodes.get(key) };
    if (value === undefined) this.#nodes.delete(key);
    else this.#nodes.set(key, value);
    for (const listener of this.#listeners) listener(change);
  }
}
