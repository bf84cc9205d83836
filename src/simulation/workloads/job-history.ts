import type { Job } from "../../apis/gen/batch-v1.js";
import type { PodView } from "../pods/pod-view.js";
import { countPods, isIndexed, type PodsKnown } from "./job-outcome.js";
import { podEnd } from "./job-pods.js";
import { JobTally } from "./job-tally.js";

/**
 * Counts of jobs' pods that were deleted: they stay counted, and those that did not finish have failed. Kubernetes keeps pods by a
 * finalizer until their job has counted them.
 */
export class JobHistory {
  readonly #domain: string;
  /** By the job's uid. */
  readonly #jobs = new Map<string, { readonly past: JobTally; readonly released: Set<string> }>();

  constructor(domain: string) {
    this.#domain = domain;
  }

  /** The first call for a job takes from its status the counts that existing pods do not explain. */
  of({ uid }: { readonly uid: string }, job: Job, pods: readonly PodView[]): PodsKnown {
    let history = this.#jobs.get(uid);
    if (history === undefined) {
      const past = new JobTally();
      const { ended, succeeded } = countPods(job, pods, this.#domain);
      past.succeeded = Math.max(0, (job.status.succeeded ?? 0) - succeeded);
      past.failed = Math.max(0, (job.status.failed ?? 0) - ended.failed);
      history = { past, released: new Set() };
      this.#jobs.set(uid, history);
    }
    const { past, released } = history;
    return { past, isReleased: (pod) => released.has(pod.uid) };
  }

  /** Pods that are deleted because they are not wanted have not failed. */
  release({ uid }: { readonly uid: string }, pods: readonly PodView[]): void {
    for (const pod of pods) this.#jobs.get(uid)?.released.add(pod.uid);
  }

  /** Counts a pod that is gone. */
  removed({ uid }: { readonly uid: string }, job: Job, pod: PodView, now: number): void {
    const history = this.#jobs.get(uid);
    if (history === undefined) return;
    const isReleased = history.released.delete(pod.uid);
    const end = podEnd(job, pod, {
      domain: this.#domain,
      indexed: isIndexed(job),
      isEarly: !isReleased,
      goneAt: now,
    });
    if (end !== undefined) history.past.add(job.spec, end);
  }

  forget(uid: string): void {
    this.#jobs.delete(uid);
  }
}
