import type { FaultMatch, FaultSpec } from "./fault-spec.js";

export const stormNames = ["informer", "conflicts", "overload", "network"] as const;
export type StormName = (typeof stormNames)[number];

export interface StormOptions {
  /** Equal seeds hit the same requests. Default 1. */
  readonly seed?: number | undefined;
  /** Limits it to some clients; by default it hits the test's own requests too. */
  readonly match?: FaultMatch | undefined;
}

/** A storm that a server starts with. */
export interface StormSetting {
  readonly name: StormName;
  readonly seed: number;
}

/** Parses `network` or `network:7`. */
export function parseStorm(text: string): { readonly value: StormSetting } | { readonly problem: string } {
  const [given = "", seed = "1", ...more] = text.split(":");
  const name = stormNames.find((each) => each === given);
  if (name !== undefined && more.length === 0 && /^\d{1,9}$/.test(seed))
    return { value: { name, seed: Number(seed) } };
  return {
    problem: `invalid value ${JSON.stringify(text)}, expected NAME or NAME:SEED with a name of ${stormNames.join(", ")}`,
  };
}

/** The rules of a storm, which a robust client survives, by what they do. */
export function stormRules(
  storm: StormName,
  { seed = 1, match = {} }: StormOptions,
): readonly (readonly [name: string, spec: FaultSpec])[] {
  return storms[storm].map(([name, { match: own, when, effect }], index) => [
    `${storm}-${name}`,
    { match: { ...match, ...own }, when: { ...when, seed: seed * 1000 + index }, effect },
  ]);
}

type Rules = readonly (readonly [name: string, spec: FaultSpec])[];

const reads = { verbs: ["get", "list", "watch"] };
const lists = { verbs: ["list"] };
const watches = { verbs: ["watch"] };
const writes = { verbs: ["create", "update", "patch", "delete"] };

/** Watches end, have to list again, or are late; lists are refused; reads are old. */
const informer: Rules = [
  [
    "watch-ends",
    { match: watches, when: { share: 0.3 }, effect: { watch: { end: "Close", afterEvents: 3 } } },
  ],
  [
    "watch-expires",
    { match: watches, when: { share: 0.2 }, effect: { watch: { end: "Expired", afterEvents: 2 } } },
  ],
  // Not 410, which an API server sends as an event.
  ["watch-refused", { match: watches, when: { share: 0.1 }, effect: { status: { code: 503 } } }],
  ["events-late", { match: watches, when: { share: 0.3 }, effect: { delay: "100ms" } }],
  ["list-refused", { match: lists, when: { share: 0.1 }, effect: { status: { code: 503 } } }],
  ["read-old", { match: reads, when: { share: 0.3 }, effect: { staleBy: 5 } }],
  ["watch-too-old", { match: watches, when: { share: 0.1 }, effect: { watch: { end: "Expired" } } }],
];

/** Somebody else was faster. */
const conflicts: Rules = [
  [
    "update",
    { match: { verbs: ["update", "patch"] }, when: { share: 0.3 }, effect: { status: { code: 409 } } },
  ],
];

/** The server has too much to do. */
const overload: Rules = [
  ["queue-full", { when: { share: 0.1 }, effect: { queueFull: true } }],
  [
    "slow",
    { match: { verbs: ["get", "list", ...writes.verbs] }, when: { share: 0.2 }, effect: { delay: "200ms" } },
  ],
  ["timeout", { match: writes, when: { share: 0.05 }, effect: { status: { code: 504 } } }],
  ["error", { match: writes, when: { share: 0.05 }, effect: { status: { code: 500 } } }],
];

/** Connections end, even after the commit: the client cannot know whether its write took place. */
const network: Rules = [
  ["cut-before", { match: writes, when: { share: 0.1 }, effect: { cut: "Before" } }],
  ["cut-after", { match: writes, when: { share: 0.1 }, effect: { cut: "AfterCommit" } }],
  ["watch-cut", { match: watches, when: { share: 0.2 }, effect: { cut: "Before" } }],
];

const storms: Readonly<Record<StormName, Rules>> = { informer, conflicts, overload, network };
