import type { PodView } from "../pods/pod-view.js";

/** For nodes without a range of their own. */
const sharedRange = "10.128.0.0/9";

interface Range {
  readonly first: number;
  readonly size: number;
  next: number;
}

/** The addresses of pods: each from the range of its node. */
export class PodAddressPool {
  readonly #ranges = new Map<string, Range>();
  readonly #used = new Map<string, string>();
  readonly #ofPod = new Map<string, string>();

  /** The pod's address, assigned now if it has none; empty when the range is exhausted. */
  of(pod: PodView, cidr: string): string {
    const known = this.#ofPod.get(pod.uid);
    if (known !== undefined) return known;
    if (pod.ip !== "" && (this.#used.get(pod.ip) ?? pod.uid) === pod.uid) return this.#take(pod.uid, pod.ip);
    const range = this.#range(cidr === "" ? sharedRange : cidr);
    for (let tries = 0; tries < range.size; tries++) {
      const ip = printIp(range.first + range.next);
      range.next = (range.next + 1) % range.size;
      if (!this.#used.has(ip)) return this.#take(pod.uid, ip);
    }
    return "";
  }

  /** Reserves the address of a pod that had one before the server was restarted. */
  keep({ uid, ip }: PodView): void {
    if (ip !== "" && !this.#ofPod.has(uid) && !this.#used.has(ip)) this.#take(uid, ip);
  }

  release(uid: string): void {
    const ip = this.#ofPod.get(uid);
    if (ip === undefined) return;
    this.#ofPod.delete(uid);
    this.#used.delete(ip);
  }

  #take(uid: string, ip: string): string {
    this.#used.set(ip, uid);
    this.#ofPod.set(uid, ip);
    return ip;
  }

  #range(cidr: string): Range {
    const known = this.#ranges.get(cidr);
    if (known !== undefined) return known;
    const [address = "", bits = "24"] = cidr.split("/");
    const first = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    // The first and the last address are left out, as usual.
    const range = { first: first + 1, size: Math.max(1, 2 ** (32 - Number(bits)) - 2), next: 0 };
    const isUsable = Number.isSafeInteger(first) && address.split(".").length === 4;
    const made = isUsable ? range : this.#range(sharedRange);
    this.#ranges.set(cidr, made);
    return made;
  }
}

function printIp(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
