import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Distribution } from "../../telemetry/distribution.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { ResourceStorageMetrics } from "./resource-storage-metrics.js";
import { type StorageFamilies, storageFamilies } from "./storage-families.js";

/** Objects per lease. */
const leaseBounds = [10, 50, 100, 500, 1000, 2500, 5000];

/**
 * Metrics of stores and caches, one resource at a time. Names and labels are those of Kubernetes at the level. Source: apiserver
 * `pkg/storage/cacher` and `etcd3/metrics`.
 */
export class StorageMetrics {
  readonly #leases: Distribution;
  readonly #families: StorageFamilies;

  /** `storeName`: prefix of the metrics of the backing store. */
  constructor(metrics: Metrics, storeName: string, level: ApiLevel) {
    this.#families = storageFamilies(metrics, storeName, level);
    this.#leases = metrics
      .histogram({
        name: `${storeName}_lease_object_counts`,
        help: "Objects that share one lease of the backing store.",
        labels: [],
        bounds: leaseBounds,
      })
      .with();
  }

  /** Called with the number of objects of a lease when another lease replaces it. */
  readonly leaseReplaced = (objects: number): void => this.#leases.observe(objects);

  /** Metrics of one resource from now on. */
  of(definition: ResourceDefinition): ResourceStorageMetrics {
    return new ResourceStorageMetrics(this.#families, definition);
  }
}
