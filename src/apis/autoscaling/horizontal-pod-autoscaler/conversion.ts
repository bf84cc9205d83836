import type { HorizontalPodAutoscaler } from "../../gen/autoscaling-v2.js";

/** Converts between an older version and v2. The result may share parts with the argument. */
export interface Conversion<V> {
  toHub(object: V): HorizontalPodAutoscaler;
  fromHub(hub: HorizontalPodAutoscaler): V;
}
