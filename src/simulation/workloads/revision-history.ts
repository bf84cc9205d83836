import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { copyJson } from "../../apimachinery/json/json-copy.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { ControllerRevision } from "../../apis/gen/apps-v1.js";
import type { PodTemplateSpec } from "../../apis/gen/core-v1.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import type { OwnerKind } from "../machinery/owners.js";
import { ownerReference } from "../machinery/owners.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "../pods/cluster.js";
import { contentHash } from "./template-hash.js";

export const revisionLabel = "controller-revision-hash";

/** A workload whose templates are kept as revisions. */
export interface Revised {
  readonly kind: OwnerKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly selectorLabels: Readonly<Record<string, string>>;
  readonly template: PodTemplateSpec;
  readonly collisions: number;
  readonly limit: number;
}

export interface Revision {
  readonly name: string;
  readonly hash: string;
  readonly number: number;
  readonly data: JsonValue | undefined;
}

export interface Revisions {
  /** That of the workload's template. */
  readonly update: Revision;
  /** In the order of their numbers. */
  readonly all: readonly Revision[];
}

/** The templates that a stateful or daemon set has had, each in a ControllerRevision. Source: Kubernetes' revision history. */
export class RevisionHistory {
  readonly #cluster: Cluster;
  readonly #writer: Writer;

  constructor(cluster: Cluster, writer: Writer) {
    this.#cluster = cluster;
    this.#writer = writer;
  }

  /** Makes the revision of the current template, if it is not there; undefined when its name is taken by another one. */
  async sync(of: Revised): Promise<Revisions | undefined> {
    const all = this.#of(of.uid);
    const data = dataOf(of.template);
    const newest = all.at(-1);
    const equal = all.filter((revision) => isDeepEqual(revision.data, data)).at(-1);
    const next = (newest?.number ?? 0) + 1;
    if (equal !== undefined && equal === newest) return { update: equal, all };
    if (equal !== undefined) {
      // Rolled back: what was there before is the newest again.
      await this.#writer.change(
        "controllerrevisions.apps",
        { namespace: of.namespace, name: equal.name },
        (revision) => {
          revision.revision = next;
        },
      );
      return { update: { ...equal, number: next }, all: this.#of(of.uid) };
    }
    const hash = contentHash(data, of.collisions);
    const name = `${of.name.slice(0, 223)}-${hash}`;
    const revision: ControllerRevision = {
      metadata: {
        name,
        labels: { ...of.template.metadata?.labels, ...of.selectorLabels, [revisionLabel]: hash },
        ownerReferences: [ownerReference(of.kind, of)],
      },
      data,
      revision: next,
    };
    try {
      await this.#writer.create("controllerrevisions.apps", of.namespace, revision);
    } catch (error) {
      if (isStatus(error, "AlreadyExists")) return undefined;
      throw error;
    }
    return { update: { name, hash, number: next, data }, all: this.#of(of.uid) };
  }

  /** Removes the oldest ones that no pod has, beyond the limit. */
  async cleanUp(of: Revised, used: ReadonlySet<string>): Promise<void> {
    const unused = this.#of(of.uid).filter(({ name, hash }) => !used.has(name) && !used.has(hash));
    for (const { name } of unused.slice(0, Math.max(0, unused.length - of.limit))) {
      await this.#writer.delete("controllerrevisions.apps", { namespace: of.namespace, name });
    }
  }

  /** The template of a revision. */
  template({ data }: Revision): PodTemplateSpec {
    const { template } = specOf(data);
    const { $patch: _, ...rest } = template;
    // It was made of a template below.
    return rest as unknown as PodTemplateSpec;
  }

  #of(uid: string): readonly Revision[] {
    const views = [...this.#cluster.views.of("controllerrevisions.apps").find("controller", uid)];
    return views
      .map(({ stored, name, labels }) => {
        const { revision, data } = stored.decode();
        return { name, hash: labels[revisionLabel] ?? "", number: Number(revision), data };
      })
      .sort((a, b) => a.number - b.number);
  }
}

/** As `kubectl rollout undo` takes it: a patch of the workload that puts the template in its place. */
function dataOf(template: PodTemplateSpec): JsonValue {
  const text = JSON.stringify({ spec: { template: { ...template, $patch: "replace" } } }, (_key, value) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  return copyJson(JSON.parse(text));
}

function specOf(data: JsonValue | undefined): { readonly template: Record<string, JsonValue> } {
  // `dataOf` made it, or another controller in the same form.
  return (data as unknown as { spec: { template: Record<string, JsonValue> } }).spec;
}
