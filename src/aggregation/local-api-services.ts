import { isStatus } from "../apimachinery/errors/status.js";
import type { GroupVersion } from "../apimachinery/objects/meta.js";
import type { APIService } from "../apis/gen/apiregistration-v1.js";
import { type Controller, type ControllerContext, serverWrite } from "../controllers/controller.js";
import { WorkQueue } from "../controllers/work-queue.js";
import type { DiscoveryPriority } from "../endpoints/catalog/resource-offer.js";
import { type Following, follow } from "../informers/follow.js";
import { groupVersionOf } from "./group-version-of.js";

/** The versions that this server serves itself. */
export interface LocalVersions {
  localVersions(): Iterable<GroupVersion>;
  /** Its priority in discovery; undefined for a version that is not served here. */
  localVersion(group: string, version: string): DiscoveryPriority | undefined;
  /** Calls `listener` with versions that may have appeared or gone, until the returned function is called. */
  subscribe(listener: (changed: readonly GroupVersion[]) => void): () => void;
}

export interface LocalApiServicesOptions {
  readonly versions: LocalVersions;
  /** The label of objects that this server creates and maintains. */
  readonly label: string;
  /** Whether a version contains built-in kinds; versions of custom resources may disappear. */
  readonly isBuiltin: (version: GroupVersion) => boolean;
}

/** The value of the label for one that is created at the start, and that a user may delete. */
export const onStart = "onstart";
/** Continuously restored. */
const always = "true";
const workers = 8;

/**
 * Registers an API service for each group and version that the server serves itself, so that clients find all in one place. Objects without
 * the label belong to users. Source: kube-aggregator 1.23, autoregister.
 */
export class LocalApiServices implements Controller {
  readonly #context: ControllerContext;
  readonly #options: LocalApiServicesOptions;
  readonly #queue: WorkQueue<string>;
  /** Registered once at the start; users may then change or delete them. */
  readonly #leftToUsers = new Set<string>();
  #unsubscribe: () => void = () => undefined;
  #following: Following | undefined;

  constructor(context: ControllerContext, options: LocalApiServicesOptions) {
    this.#context = context;
    this.#options = options;
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("autoregister"),
      work: (name) => this.#sync(name),
      workers,
      onFailure: (name, error) =>
        context.log.verbose(
          { level: 2, file: "aggregation/local-api-services" },
          "an API service could not be registered",
          { name, reason: String(error) },
        ),
    });
  }

  /** Resolves when every version is registered. */
  async start(): Promise<void> {
    const { versions } = this.#options;
    this.#unsubscribe = versions.subscribe((changed) => {
      for (const each of changed) this.#queue.add(nameOf(each));
    });
    await this.#removeLeftovers();
    await Promise.all([...versions.localVersions()].map((each) => this.#sync(nameOf(each))));
    this.#following = await follow(this.#apiServices, {
      change: (type, { key, labels }) => {
        if (type === "DELETED" || labels[this.#options.label] === always) this.#queue.add(key);
      },
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#following?.stop();
    await this.#queue.close();
  }

  /** Undefined for a version that is not served here. */
  #wanted(name: string): APIService | undefined {
    const { versions, label, isBuiltin } = this.#options;
    const { group, version } = groupVersionOf(name);
    const priority = versions.localVersion(group, version);
    if (priority === undefined) return undefined;
    const kept = isBuiltin({ group, version }) ? onStart : always;
    return localApiService({ group, version, priority, labels: { [label]: kept } });
  }

  async #sync(name: string): Promise<void> {
    if (this.#leftToUsers.has(name)) return;
    const wanted = this.#wanted(name);
    await this.#register(name, wanted);
    if (wanted?.metadata.labels?.[this.#options.label] === onStart) this.#leftToUsers.add(name);
  }

  async #register(name: string, wanted: APIService | undefined): Promise<void> {
    const { label } = this.#options;
    const existing = await this.#find(name);
    const kept = existing?.metadata.labels?.[label];
    if (wanted === undefined) {
      if (kept === always) await this.#delete(name);
      return;
    }
    if (existing === undefined) return await this.#create(wanted);
    if (kept === undefined || isSame(existing, wanted)) return;
    await this.#apiServices.update(this.#write(), name, {
      transform: async (current) => {
        const object = current?.copy() ?? wanted;
        return {
          ...object,
          metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...wanted.metadata.labels } },
          spec: wanted.spec,
        };
      },
    });
  }

  /** Versions that this server had at an earlier start. */
  async #removeLeftovers(): Promise<void> {
    const { items } = await this.#apiServices.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
    await Promise.all(
      items
        .filter(
          ({ key, labels }) => labels[this.#options.label] === onStart && this.#wanted(key) === undefined,
        )
        .map(({ key }) => this.#delete(key)),
    );
  }

  async #find(name: string): Promise<APIService | undefined> {
    return (await this.#apiServices.find("", name, { kind: "mostRecent" }))?.decode();
  }

  async #create(wanted: APIService): Promise<void> {
    try {
      await this.#apiServices.create(this.#write(), wanted);
    } catch (error) {
      // Another server of the same store was faster.
      if (!isStatus(error, "AlreadyExists")) throw error;
    }
  }

  async #delete(name: string): Promise<void> {
    try {
      await this.#apiServices.delete(this.#write(), name, {});
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
    }
  }

  #write() {
    return serverWrite(this.#context, "");
  }

  get #apiServices() {
    return this.#context.builtin("apiservices.apiregistration");
  }
}

/** The API service of a version that the server serves itself. */
export function localApiService({
  group,
  version,
  priority,
  labels,
}: GroupVersion & {
  readonly priority: DiscoveryPriority;
  readonly labels: Readonly<Record<string, string>>;
}): APIService {
  return {
    metadata: { name: nameOf({ group, version }), labels },
    spec: {
      // Left out for the core group, so that nobody owns an empty field.
      ...(group !== "" && { group }),
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
    status: {},
  };
}

function nameOf({ group, version }: GroupVersion): string {
  return `${version}.${group}`;
}

function isSame(existing: APIService, wanted: APIService): boolean {
  const { group = "", version, groupPriorityMinimum, versionPriority, service } = existing.spec;
  return (
    service === undefined &&
    group === (wanted.spec.group ?? "") &&
    version === wanted.spec.version &&
    groupPriorityMinimum === wanted.spec.groupPriorityMinimum &&
    versionPriority === wanted.spec.versionPriority &&
    Object.entries(wanted.metadata.labels ?? {}).every(
      ([name, value]) => existing.metadata.labels?.[name] === value,
    )
  );
}
