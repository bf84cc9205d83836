import type { HorizontalPodAutoscaler } from "../../apis/gen/autoscaling-v2.js";

type Behavior = HorizontalPodAutoscaler["spec"]["behavior"];

interface Recommendation {
  readonly at: number;
  readonly replicas: number;
}

const downWindowByDefaultMs = 300_000;

/** What autoscalers have recently thought right, by their keys. */
export class Recommendations {
  readonly #recent = new Map<string, readonly Recommendation[]>();

  forget(key: string): void {
    this.#recent.delete(key);
  }

  /** Fewer pods only when so few have been enough for the whole window. `reviewAt`: when fewer may be right. */
  stabilized(
    key: string,
    behavior: Behavior,
    { current, wanted, now }: { readonly current: number; readonly wanted: number; readonly now: number },
  ): { readonly replicas: number; readonly reviewAt?: number } {
    const seconds = behavior?.scaleDown?.stabilizationWindowSeconds;
    const windowMs = seconds === undefined ? downWindowByDefaultMs : seconds * 1000;
    const known = this.#recent.get(key) ?? [{ at: now, replicas: current }];
    const recent = [...known.filter(({ at }) => at + windowMs > now), { at: now, replicas: wanted }];
    // Of equal ones the last counts: there are no more than there are sizes.
    const bySize = [...new Map(recent.map((each) => [each.replicas, each])).values()];
    this.#recent.set(key, bySize);
    if (wanted >= current) return { replicas: wanted };
    const larger = bySize.filter(({ replicas }) => replicas > wanted);
    const replicas = Math.min(current, Math.max(wanted, ...larger.map((each) => each.replicas)));
    if (larger.length === 0) return { replicas };
    return { replicas, reviewAt: Math.min(...larger.map(({ at }) => at)) + windowMs + 1000 };
  }
}
