import { type LabelSelector, parseLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import { matchesAny } from "../../apimachinery/values/wildcards.js";
import type { BehaviourMatch, BehaviourSpec, ContainerSettings, NodeState } from "./behaviour-spec.js";

/** The attributes of an object that rules match. */
export interface RuledObject {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RuledContainer {
  readonly name: string;
  readonly image?: string | undefined;
}

interface Rule {
  readonly spec: BehaviourSpec;
  readonly matches: (object: RuledObject) => boolean;
}

/** Called when the behaviour of the objects for which `concerns` holds has changed. */
export type RulesListener = (concerns: (object: RuledObject) => boolean) => void;

/** The behaviour of pods and nodes without annotations about it. If several rules set the same thing, the first by name wins. */
export class BehaviourRules {
  /** By name, in the order of their names. */
  #rules = new Map<string, Rule>();
  readonly #listeners = new Set<RulesListener>();

  /** Throws a `RangeError` that says what is wrong with the rule; an earlier rule of the same name is then removed. */
  set(name: string, spec: BehaviourSpec): void {
    const before = this.#rules.get(name);
    this.#rules.delete(name);
    try {
      this.#rules.set(name, ruleOf(spec));
      this.#rules = new Map([...this.#rules].sort(([a], [b]) => (a < b ? -1 : 1)));
    } finally {
      this.#tell(before, this.#rules.get(name));
    }
  }

  delete(name: string): void {
    const before = this.#rules.get(name);
    this.#rules.delete(name);
    this.#tell(before, undefined);
  }

  /** Calls the listener until the returned function is called. */
  onChange(listener: RulesListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The value of the first matching rule that sets one; `isNamed`: only rules that name containers or images count. */
  ofContainer<K extends keyof ContainerSettings>(
    pod: RuledObject,
    container: RuledContainer,
    what: K,
    isNamed = false,
  ): ContainerSettings[K] {
    for (const { spec, matches } of this.#rules.values()) {
      const said = spec.container?.[what];
      if (said === undefined || (isNamed && !namesContainers(spec.match))) continue;
      if (matches(pod) && concernsContainer(spec.match, container)) return said;
    }
    return undefined;
  }

  ofNode(node: RuledObject): NodeState | undefined {
    for (const { spec, matches } of this.#rules.values()) {
      if (spec.node !== undefined && matches(node)) return spec.node.state;
    }
    return undefined;
  }

  #tell(...rules: readonly (Rule | undefined)[]): void {
    const changed = rules.filter((rule) => rule !== undefined);
    if (changed.length === 0) return;
    const concerns = (object: RuledObject): boolean => changed.some(({ matches }) => matches(object));
    for (const listener of this.#listeners) listener(concerns);
  }
}

function ruleOf(spec: BehaviourSpec): Rule {
  const { match = {}, container, node } = spec;
  if ((container === undefined) === (node === undefined)) {
    throw new RangeError("a rule says something of containers or of nodes, and not of both");
  }
  if (node !== undefined && (match.namespaces !== undefined || namesContainers(match))) {
    throw new RangeError("match: nodes are matched by names and labelSelector alone");
  }
  const selector = match.labelSelector === undefined ? undefined : parsedSelector(match.labelSelector);
  const { namespaces, names } = match;
  return {
    spec,
    matches: ({ namespace, name, labels }) =>
      // Nodes have no namespace, and pods have one.
      (namespace === "") === (node !== undefined) &&
      (namespaces === undefined || matchesAny(namespaces, namespace)) &&
      (names === undefined || matchesAny(names, name)) &&
      (selector === undefined || selector.matches(labels)),
  };
}

function namesContainers(match: BehaviourMatch | undefined): boolean {
  return match?.images !== undefined || match?.containers !== undefined;
}

function concernsContainer(match: BehaviourMatch | undefined, { name, image = "" }: RuledContainer): boolean {
  const { images, containers } = match ?? {};
  return (
    (images === undefined || matchesAny(images, image)) &&
    (containers === undefined || matchesAny(containers, name))
  );
}

function parsedSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch {
    throw new RangeError(`match.labelSelector: not a selector: ${JSON.stringify(text)}`);
  }
}
