import type { HorizontalPodAutoscaler } from "../../apis/gen/autoscaling-v2.js";

type Behavior = HorizontalPodAutoscaler["spec"]["behavior"];

interface Recommendation {
  readonly at: number;
  readonly replicas: number;
}

const downWindowByDefaultMs = 300_000;

/** What autoscalers recently recommended, by their keys. */
export class Recommendations {
  readonly #recent = new Map<string, readonly Recommendation[]>();

  forget(key: string): void {
    this.#recent.delete(key);
  }

  /** Scales down only when the smaller number has been enough for the whole window. `reviewAt`: when scaling down may become possible. */
  stabilized(
    key: string,
    behavior: Behavior,
    { current, wanted, now }: { readonly current: number; readonly wanted: number; readonly now: number },
  ): { readonly replicas: number; readonly reviewAt?: number } {
    const seconds = behavior?.scaleDown?.stabilizationWindowSeconds;
    const windowMs = seconds === undefined ? downWindowByDefaultMs : seconds * 1000;
    const known = this.#recent.get(key) ?? [{ at: now, replicas: current }];
    const recent = [...known.filter(({ at }) => at + windowMs > now), { at: now, replicas: wanted }];
    // Of equal sizes only the last is kept, so the list is no longer than there are different sizes.
    const bySize = [...new Map(recent.map((each) => [each.replicas, each])).values()];
    this.#recent.set(key, bySize);
    if (wanted >= current) return { replicas: wanted };
    const larger = bySize.filter(({ replicas }) => replicas > wanted);
    const replicas = Math.min(current, Math.max(wanted, ...larger.map((each) => each.replicas)));
    if (larger.length === 0) return { replicas };
    return { replicas, reviewAt: Math.min(...larger.map(({ at }) => at)) + windowMs + 1000 };
  }
}
