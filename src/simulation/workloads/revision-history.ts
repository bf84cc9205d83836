import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { ControllerRevision, DaemonSet, StatefulSet } from "../../apis/gen/apps-v1.js";
import type { PodTemplateSpec } from "../../apis/gen/core-v1.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodControl, PodOwner } from "./pod-control.js";
import { comparableData, revisionData, templateOf } from "./revision-data.js";
import { contentHash } from "./template-hash.js";

export const revisionLabel = "controller-revision-hash";

/** The workloads whose templates are kept as revisions. */
type Revised = DaemonSet | StatefulSet;
type Resource = "daemonsets.apps" | "statefulsets.apps";

const limitByDefault = 10;

export interface Revision {
  readonly name: string;
  readonly hash: string;
  readonly number: number;
  /** As `comparableData` makes it. */
  readonly data: JsonValue | undefined;
}

export interface Revisions {
  /** The revision of the workload's template. */
  readonly update: Revision;
  /** Ordered by their numbers. */
  readonly all: readonly Revision[];
}

/** The templates that a stateful or daemon set has had, each in a ControllerRevision. Source: Kubernetes' revision history. */
export class RevisionHistory {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #resource: Resource;

  constructor(cluster: Cluster, control: PodControl, resource: Resource) {
    this.#cluster = cluster;
    this.#control = control;
    this.#resource = resource;
  }

  /**
   * Creates the revision of the current template if it is missing. Returns undefined if another revision has that name: the collision is
   * counted in the workload's status, and the next attempt derives another name from the count.
   */
  async sync(owner: PodOwner, { metadata, spec, status }: Revised): Promise<Revisions | undefined> {
    const all = this.#of(owner.uid);
    const stored = revisionData(spec.template, this.#cluster.context.level);
    const data = comparableData(stored);
    const newest = all.at(-1);
    const equal = all.filter((revision) => isDeepEqual(revision.data, data)).at(-1);
    const next = (newest?.number ?? 0) + 1;
    if (equal !== undefined && equal === newest) return { update: equal, all };
    if (equal !== undefined) {
      // A rollback: an earlier template becomes the newest again.
      const target = { namespace: owner.namespace, name: equal.name };
      await this.#control.writer.change("controllerrevisions.apps", target, (revision) => {
        revision.revision = next;
      });
      return { update: { ...equal, number: next }, all: this.#of(owner.uid) };
    }
    const hash = contentHash(data, status.collisionCount ?? 0);
    const name = `${owner.name.slice(0, 223)}-${hash}`;
    const revision: ControllerRevision = {
      metadata: {
        name,
        labels: {
          ...spec.template.metadata?.labels,
          ...spec.selector?.matchLabels,
          [revisionLabel]: hash,
        },
        // `kubectl rollout history` shows the cause of a change from here.
        ...(metadata.annotations !== undefined && { annotations: metadata.annotations }),
        ownerReferences: [this.#control.reference(owner)],
      },
      data: stored,
      revision: next,
    };
    try {
      await this.#control.writer.create("controllerrevisions.apps", owner.namespace, revision);
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) throw error;
      await this.#control.writer.changePart<Resource>(this.#resource, owner, (object) => {
        object.status.collisionCount = (object.status.collisionCount ?? 0) + 1;
      });
      return undefined;
    }
    return { update: { name, hash, number: next, data }, all: this.#of(owner.uid) };
  }

  /** Removes the oldest ones that no pod uses, beyond the limit. */
  async cleanUp(owner: PodOwner, { spec }: Revised, used: ReadonlySet<string>): Promise<void> {
    const unused = this.#of(owner.uid).filter(({ name, hash }) => !used.has(name) && !used.has(hash));
    const limit = spec.revisionHistoryLimit ?? limitByDefault;
    for (const { name } of unused.slice(0, Math.max(0, unused.length - limit))) {
      await this.#control.writer.delete("controllerrevisions.apps", { namespace: owner.namespace, name });
    }
  }

  template({ data }: Revision): PodTemplateSpec {
    return templateOf(data);
  }

  #of(uid: string): readonly Revision[] {
    const views = [...this.#cluster.views.of("controllerrevisions.apps").find("controller", uid)];
    return views
      .map(({ stored, name, labels }) => {
        const { revision, data } = stored.decode();
        return {
          name,
          hash: labels[revisionLabel] ?? "",
          number: Number(revision),
          data: comparableData(data),
        };
      })
      .sort((a, b) => a.number - b.number);
  }
}
