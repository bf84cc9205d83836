import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../../gen/autoscaling-v2.js";

/** Further metrics are only counted. */
const shownMetricsMax = 2;

export function horizontalPodAutoscalerColumns(level: ApiLevel): TableColumns<HorizontalPodAutoscaler> {
  const namesResources = isAtLeast(level, "1.30");
  return {
    columns: [
      nameColumn,
      column("Reference", "string", "The workload that is scaled."),
      column("Targets", "string", "Each metric's current value and the one aimed at."),
      column("MinPods", "string", "Pods that there are at least."),
      column("MaxPods", "string", "Pods that there are at most."),
      column("Replicas", "string", "Pods that there are."),
      ageColumn,
    ],
    cells(object, now) {
      const { metadata, spec, status } = object;
      return [
        metadata.name ?? "",
        `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
        metricsCell(spec.metrics ?? [], status.currentMetrics ?? [], namesResources),
        spec.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
        spec.maxReplicas,
        status.currentReplicas ?? 0,
        ageCell(object, now),
      ];
    },
  };
}

function metricsCell(
  specs: readonly MetricSpec[],
  statuses: readonly MetricStatus[],
  namesResources: boolean,
): string {
  if (specs.length === 0) return "<none>";
  const shown = specs
    .slice(0, shownMetricsMax)
    .map((spec, index) => {
      const text = metricText(spec, statuses[index]);
      const name = spec.resource?.name ?? spec.containerResource?.name;
      return namesResources && name !== undefined ? `${name}: ${text}` : text;
    })
    .join(", ");
  return specs.length > shownMetricsMax ? `${shown} + ${specs.length - shownMetricsMax} more...` : shown;
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case "External":
      return externalOrObjectText(spec.external?.target, status?.external?.current);
    case "Object":
      return externalOrObjectText(spec.object?.target, status?.object?.current);
    case "Pods":
      return `${status?.pods?.current.averageValue ?? unknown}/${spec.pods?.target.averageValue ?? "0"}`;
    case "Resource":
      return resourceText(spec.resource?.target, status?.resource?.current);
    case "ContainerResource":
      return resourceText(spec.containerResource?.target, status?.containerResource?.current);
    default:
      return "<unknown type>";
  }
}

const unknown = "<unknown>";

function externalOrObjectText(
  target: MetricTarget | undefined,
  current: MetricValueStatus | undefined,
): string {
  if (target?.averageValue !== undefined) {
    return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  }
  return `${current?.value ?? unknown}/${target?.value ?? "0"}`;
}

function resourceText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) {
    return `${current?.averageValue ?? unknown}/${target.averageValue}`;
  }
  const percent = current?.averageUtilization === undefined ? unknown : `${current.averageUtilization}%`;
  const aim = target?.averageUtilization === undefined ? "<auto>" : `${target.averageUtilization}%`;
  return `${percent}/${aim}`;
}
