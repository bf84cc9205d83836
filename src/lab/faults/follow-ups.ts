import type { FaultRule, FaultTarget } from "./fault-rule.js";

/** What a client did after hits. */
export interface ClientReport {
  readonly user: string;
  readonly userAgent: string;
  readonly hits: number;
  /** Hits after which the client came back to the resource. */
  readonly followed: number;
  /** The longest time until it came back. */
  readonly longestMs: number;
  /** Its next requests, such as `update deployments -> get deployments`, with counts. */
  readonly reactions: Readonly<Record<string, number>>;
  /** Requests that it never retried, such as `update deployments`, with counts. */
  readonly abandoned: Readonly<Record<string, number>>;
}

interface OpenHit {
  readonly what: string;
  readonly atMs: number;
}

interface Client {
  readonly user: string;
  readonly userAgent: string;
  hits: number;
  followed: number;
  longestMs: number;
  readonly reactions: Map<string, number>;
  /** By resource, oldest first. */
  readonly open: Map<string, OpenHit[]>;
  openCount: number;
}

const clientsMax = 1000;
/** Per client. */
const openMax = 10_000;

/** Observes what clients do after some rules have hit their requests. */
export class FollowUps {
  readonly #rules: ReadonlySet<FaultRule>;
  readonly #clients = new Map<string, Client>();

  constructor(rules: Iterable<FaultRule>) {
    this.#rules = new Set(rules);
  }

  /** Receives a request before rules are applied. */
  seen(target: FaultTarget): void {
    const client = this.#clients.get(keyOf(target));
    const open = client?.open.get(resourceOf(target));
    if (client === undefined || open === undefined) return;
    client.open.delete(resourceOf(target));
    client.openCount -= open.length;
    const now = performance.now();
    for (const { what, atMs } of open) {
      client.followed++;
      client.longestMs = Math.max(client.longestMs, now - atMs);
      const reaction = `${what} -> ${target.verb} ${target.resource}`;
      client.reactions.set(reaction, (client.reactions.get(reaction) ?? 0) + 1);
    }
  }

  hit(rule: FaultRule, target: FaultTarget): void {
    const client = this.#rules.has(rule) ? this.#clientOf(target) : undefined;
    if (client === undefined) return;
    client.hits++;
    if (client.openCount === openMax) return;
    const open = client.open.get(resourceOf(target)) ?? [];
    open.push({ what: `${target.verb} ${target.resource}`, atMs: performance.now() });
    client.open.set(resourceOf(target), open);
    client.openCount++;
  }

  report(): readonly ClientReport[] {
    return [...this.#clients.values()].map(
      ({ user, userAgent, hits, followed, longestMs, reactions, open }) => {
        const abandoned: Record<string, number> = {};
        for (const { what } of [...open.values()].flat()) abandoned[what] = (abandoned[what] ?? 0) + 1;
        return {
          user,
          userAgent,
          hits,
          followed,
          longestMs: Math.round(longestMs),
          reactions: Object.fromEntries(reactions),
          abandoned,
        };
      },
    );
  }

  #clientOf(target: FaultTarget): Client | undefined {
    const key = keyOf(target);
    const known = this.#clients.get(key);
    if (known !== undefined || this.#clients.size >= clientsMax) return known;
    const { user, userAgent } = target;
    const made: Client = {
      user,
      userAgent,
      hits: 0,
      followed: 0,
      longestMs: 0,
      reactions: new Map(),
      open: new Map(),
      openCount: 0,
    };
    this.#clients.set(key, made);
    return made;
  }
}

function keyOf({ user, userAgent }: FaultTarget): string {
  return `${user}\n${userAgent}`;
}

function resourceOf({ group, resource }: FaultTarget): string {
  return `${resource.split("/", 1)[0]}.${group}`;
}
