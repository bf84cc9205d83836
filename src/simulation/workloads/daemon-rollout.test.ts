import { expect, test } from "vitest";
import type { PodView } from "../pods/pod-view.js";
import { type DaemonRules, rolloutStep, surplusPods } from "./daemon-rollout.js";

/** `new`, `old`, and each followed by `-` for one that is not available, or `x` for one that is being deleted. */
const podOf = (text: string, node: number, index: number) =>
  ({
    name: `${text}-${node}-${index}`,
    isReady: !text.endsWith("-"),
    isTerminating: text.endsWith("x"),
    isScheduled: true,
    createdAt: `2022-01-01T00:00:0${index}Z`,
  }) as PodView; // what is looked at

const rulesFor = (maxUnavailable: number, maxSurge: number): DaemonRules => ({
  maxUnavailable,
  maxSurge,
  isUpdated: ({ name }) => name.startsWith("new"),
  isAvailable: ({ isReady }) => isReady,
});

/** The nodes that lose their outdated pod, and those that get an updated one beside it. */
function step(nodes: readonly string[], bounds: readonly [number, number]) {
  const list = nodes.map((texts, node) => ({
    node: String(node),
    pods: texts
      .split(" ")
      .filter(Boolean)
      .map((text, index) => podOf(text, node, index)),
  }));
  const { outdated, surge } = rolloutStep(list, rulesFor(...bounds));
  const losing = list.filter(({ pods }) => pods.some((pod) => outdated.includes(pod)));
  return [losing.map(({ node }) => node), surge];
}

test.each<[string, string[], [number, number], string[]]>([
  ["one at a time", ["old", "old"], [1, 0], ["0"]],
  ["two at a time", ["old", "old", "old"], [2, 0], ["0", "1"]],
  ["unavailable ones at once, which leaves room for no other", ["old", "old-", "old-"], [1, 0], ["1", "2"]],
  ["none while a new one is not available", ["new-", "old"], [1, 0], []],
  ["none while a node has no pod", ["", "old"], [1, 0], []],
  ["none while an outdated one is being deleted", ["oldx", "old"], [1, 0], []],
  ["none of a node with several", ["old old", "old"], [1, 0], []],
  ["the next when the new one is available", ["new", "old"], [1, 0], ["1"]],
])("without a surge, outdated pods go: %s", (_what, nodes, bounds, gone) => {
  expect(step(nodes, bounds)).toEqual([gone, []]);
});

test.each<[string, string[], [number, number], string[], string[]]>([
  ["one node at a time", ["old", "old"], [0, 1], [], ["0"]],
  ["unavailable ones besides", ["old", "old-", "old-"], [0, 1], [], ["1", "2", "0"]],
  ["none while a new one is not available", ["old new-", "old"], [0, 1], [], []],
  ["the outdated one goes when the new one is available", ["old new", "old"], [0, 1], ["0"], ["1"]],
  ["not where none is outdated", ["new-", "old"], [0, 1], [], ["1"]],
])("with a surge, new pods come: %s", (_what, nodes, bounds, gone, surge) => {
  expect(step(nodes, bounds)).toEqual([gone, surge]);
});

test.each<[string, number, string]>([
  ["old", 0, ""],
  ["old new", 0, "new"],
  ["old old", 1, "old"],
  ["old new-", 1, ""],
  ["old- new-", 1, "old-"],
  ["old new", 1, "old"],
  ["old new- new", 1, "new"],
])("of %j with a surge of %i, too many are: %j", (texts, surge, surplus) => {
  const pods = texts.split(" ").map((text, index) => podOf(text, 0, index));
  const names = surplusPods(pods, rulesFor(1, surge)).map(({ name }) => name.replace(/-0-\d$/, ""));
  expect(names.join(" ")).toBe(surplus);
});
