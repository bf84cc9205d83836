import type { ObjectParts } from "../minimal-objects.js";
import {
  fullPodSpec,
  jobPodTemplate,
  labelSelector,
  labels,
  podTemplate,
  windowsPodSpec,
} from "./pod-templates.js";
import { claimSpec } from "./volumes.js";

const jobSpec = {
  parallelism: 2,
  completions: 3,
  activeDeadlineSeconds: 100,
  backoffLimit: 4,
  manualSelector: true,
  selector: labelSelector,
  template: jobPodTemplate,
  ttlSecondsAfterFinished: 50,
  completionMode: "Indexed",
  suspend: true,
};
const { manualSelector: _manual, selector: _selector, ...generatedJobSpec } = jobSpec;

/** Pods and the workloads that create them. Some kinds have several objects, because some fields exclude each other. */
export const fullWorkloads: Readonly<Record<string, readonly ObjectParts[]>> = {
  "controllerrevisions.apps": [{ revision: 7, data: { spec: { any: ["thing", 1, null] } } }],
  "cronjobs.batch": [
    {
      spec: {
        schedule: "*/5 1-2 * JAN mon",
        startingDeadlineSeconds: 10,
        concurrencyPolicy: "Replace",
        suspend: true,
        jobTemplate: { metadata: { labels, annotations: { a: "b" } }, spec: generatedJobSpec },
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 2,
      },
    },
  ],
  "daemonsets.apps": [
    {
      spec: {
        selector: labelSelector,
        template: podTemplate,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%", maxSurge: 0 } },
        minReadySeconds: 5,
        revisionHistoryLimit: 3,
      },
    },
  ],
  "deployments.apps": [
    {
      spec: {
        replicas: 0,
        selector: labelSelector,
        template: podTemplate,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "50%", maxUnavailable: 1 } },
        minReadySeconds: 5,
        revisionHistoryLimit: 3,
        paused: true,
        progressDeadlineSeconds: 60,
      },
    },
  ],
  "jobs.batch": [{ spec: jobSpec }, { spec: generatedJobSpec }],
  pods: [{ spec: fullPodSpec }, { spec: windowsPodSpec }],
  podtemplates: [{ template: podTemplate }],
  "replicasets.apps": [
    { spec: { replicas: 0, minReadySeconds: 5, selector: labelSelector, template: podTemplate } },
  ],
  replicationcontrollers: [
    { spec: { replicas: 0, minReadySeconds: 5, selector: labels, template: podTemplate } },
  ],
  "statefulsets.apps": [
    {
      spec: {
        replicas: 0,
        selector: labelSelector,
        template: podTemplate,
        volumeClaimTemplates: [
          {
            kind: "PersistentVolumeClaim",
            apiVersion: "v1",
            metadata: { name: "data", labels },
            spec: { ...claimSpec, dataSourceRef: claimSpec.dataSource },
          },
        ],
        serviceName: "s",
        podManagementPolicy: "Parallel",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
        revisionHistoryLimit: 3,
        minReadySeconds: 5,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
      },
    },
  ],
};
