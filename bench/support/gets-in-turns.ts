import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "../load/http1-client.js";
import type { Turn, TurnJob, TurnResult } from "../load/turn-worker.js";
import { cpuSeconds, mainThreadSeconds } from "./process-time.js";
import { quantile } from "./statistics.js";

/** A server, and the get that is measured. */
export interface Subject {
  readonly pid: number;
  readonly target: Target;
  readonly path: string;
  /** Namespace in which pods are created, instead of getting one. */
  readonly creates?: string;
}

export interface Measured {
  /** Processor time of the server for a request, in the cheapest tenth of the turns. */
  readonly cpuUs: number;
  /** The main thread's part of that, which bounds the rate. */
  readonly mainUs: number;
  /** Requests per second, in the fastest tenth of the turns. */
  readonly perSecond: number;
  /** Its rate divided by that of the first subject in the same round: the median of all rounds. */
  readonly rateRatio: number;
  /** Processor time of the server for a request, in each round. */
  readonly cpuUsOfRounds: readonly number[];
  /** The main thread's part of that. */
  readonly mainUsOfRounds: readonly number[];
  /** How much more processor time a request takes than with the first subject, in percent. */
  readonly morePercent: number;
}

/**
 * What a get costs each server. They take many short turns, of which the cheapest tenth counts: other work on the machine or its host can
 * double the processor time of a request, and never lowers it. Connections stay open between the turns.
 */
export async function getsInTurns(
  subjects: readonly Subject[],
  { rounds, turnMs, connections }: { rounds: number; turnMs: number; connections: number },
): Promise<readonly Measured[]> {
  // Relative to the benchmark, into which this file is bundled.
  const worker = fork(fileURLToPath(new URL("./load/turn-worker.mjs", import.meta.url)));
  const ask = async (message: TurnJob | Turn): Promise<unknown> => {
    worker.send(message);
    const [answer] = await once(worker, "message");
    return answer;
  };
  try {
    await ask({ connections, subjects });
    const costs = subjects.map((): number[] => []);
    const mainCosts = subjects.map((): number[] => []);
    const rates = subjects.map((): number[] => []);
    const warmUpRounds = Math.ceil(3000 / turnMs);
    for (let round = -warmUpRounds; round < rounds; round++) {
      // In random order, so that the work that a turn leaves to the next one is charged to all alike.
      for (const [index, { pid, path }] of shuffled([...subjects.entries()])) {
        const before = cpuSeconds(pid);
        const mainBefore = mainThreadSeconds(pid);
        const { operations, failures, seconds } = (await ask({
          subject: index,
          durationMs: turnMs,
        })) as TurnResult; // the worker's answer to a turn
        if (failures > 0) throw new Error(`${failures} of ${operations} requests for ${path} failed`);
        if (round < 0) continue;
        costs[index]?.push(((cpuSeconds(pid) - before) / operations) * 1e6);
        mainCosts[index]?.push(((mainThreadSeconds(pid) - mainBefore) / operations) * 1e6);
        rates[index]?.push(operations / seconds);
      }
    }
    const cheapest = costs.map((values) => quantile(values, 0.1));
    const [first = Number.NaN] = cheapest;
    const [firstRates = []] = rates;
    return cheapest.map((cpuUs, index) => ({
      cpuUs,
      mainUs: quantile(mainCosts[index] ?? [], 0.1),
      perSecond: quantile(rates[index] ?? [], 0.9),
      rateRatio: quantile(
        (rates[index] ?? []).map((rate, round) => rate / (firstRates[round] ?? Number.NaN)),
        0.5,
      ),
      cpuUsOfRounds: costs[index] ?? [],
      mainUsOfRounds: mainCosts[index] ?? [],
      morePercent: (cpuUs / first - 1) * 100,
    }));
  } finally {
    worker.kill();
  }
}

function shuffled<T>(items: T[]): T[] {
  for (let left = items.length; left > 1; left--) {
    const chosen = Math.floor(Math.random() * left);
    const [item] = items.splice(chosen, 1);
    if (item !== undefined) items.push(item);
  }
  return items;
}
