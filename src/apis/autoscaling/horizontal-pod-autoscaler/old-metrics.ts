import type { MetricSpec, MetricStatus } from "../../gen/autoscaling-v2.js";
import type {
  MetricSpec as OldMetricSpec,
  MetricStatus as OldMetricStatus,
} from "../../gen/autoscaling-v2beta1.js";

/** Metrics in the form of v2beta1, which is also that of the annotations of v1. An absent quantity is `0` there. */
export function metricFromOld({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: OldMetricSpec): MetricSpec {
  return {
    type,
    object: object && {
      describedObject: object.target,
      target: {
        type: object.averageValue === undefined ? "Value" : "AverageValue",
        value: object.targetValue,
        averageValue: object.averageValue,
      },
      metric: { name: object.metricName, selector: object.selector },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: "AverageValue", averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: resourceTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      target: {
        type: external.targetValue === undefined ? "AverageValue" : "Value",
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      },
    },
  };
}

interface OldResourceTarget {
  readonly targetAverageUtilization?: number | undefined;
  readonly targetAverageValue?: string | undefined;
}

function resourceTarget({ targetAverageUtilization, targetAverageValue }: OldResourceTarget) {
  return {
    type: targetAverageUtilization === undefined ? "AverageValue" : "Utilization",
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  };
}

export function metricToOld({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricSpec): OldMetricSpec {
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? "0",
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? "0",
      selector: pods.metric.selector,
    },
    resource: resource && {
      name: resource.name,
      targetAverageUtilization: resource.target.averageUtilization,
      targetAverageValue: resource.target.averageValue,
    },
    containerResource: containerResource && {
      name: containerResource.name,
      targetAverageUtilization: containerResource.target.averageUtilization,
      targetAverageValue: containerResource.target.averageValue,
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  };
}

export function metricStatusFromOld(status: OldMetricStatus): MetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    object: object && {
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
      describedObject: object.target,
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && {
      name: resource.name,
      current: {
        averageValue: resource.currentAverageValue,
        averageUtilization: resource.currentAverageUtilization,
      },
    },
    containerResource: containerResource && {
      name: containerResource.name,
      current: {
        averageValue: containerResource.currentAverageValue,
        averageUtilization: containerResource.currentAverageUtilization,
      },
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  };
}

export function metricStatusToOld(status: MetricStatus): OldMetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? "0",
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? "0",
      selector: pods.metric.selector,
    },
    resource: resource && {
      name: resource.name,
      currentAverageUtilization: resource.current.averageUtilization,
      currentAverageValue: resource.current.averageValue ?? "0",
    },
    containerResource: containerResource && {
      name: containerResource.name,
      currentAverageUtilization: containerResource.current.averageUtilization,
      currentAverageValue: containerResource.current.averageValue ?? "0",
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? "0",
      currentAverageValue: external.current.averageValue,
    },
  };
}
