import { expect, test } from "vitest";
import type { Deployment } from "../../apis/gen/apps-v1.js";
import { stuckAt } from "./deployment-status.js";

function deploymentOf(reason: string, available: number): Deployment {
  const lastUpdateTime = "2021-12-07T00:00:00Z";
  return {
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate" },
      template: { metadata: {}, spec: { containers: [] } },
    },
    status: {
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: available,
      conditions: [
        { type: "Progressing", status: "True", reason, lastUpdateTime, lastTransitionTime: lastUpdateTime },
      ],
    },
  };
}

test.each([
  ["ReplicaSetUpdated", 1, Date.UTC(2021, 11, 7, 0, 10)],
  ["ReplicaSetUpdated", 2, undefined],
  ["ProgressDeadlineExceeded", 1, undefined],
  // It lost a pod long after its rollout.
  ["NewReplicaSetAvailable", 1, undefined],
])(
  "a rollout that is told as %s, with %i of 2 pods available, is looked at again at %s",
  (reason, available, at) => {
    const deployment = deploymentOf(reason, available);
    expect(stuckAt(deployment, deployment.status)).toBe(at);
  },
);
