import type { HorizontalPodAutoscaler } from "../../gen/autoscaling-v2.js";

/** Between an older version and v2. Both may reuse parts of their argument. */
export interface Conversion<V> {
  toHub(object: V): HorizontalPodAutoscaler;
  fromHub(hub: HorizontalPodAutoscaler): V;
}
