/** A pod of about 1.5 KB once the server has set its defaults. `turn` makes each version differ. */
export function podJson(name: string, namespace: string, turn: number): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: { app: "bench", tier: "web", shard: String(turn % 16) },
      annotations: { "example.com/turn": String(turn), "example.com/owner": "the benchmark" },
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "registry.example.com/team/web:1.2.3",
          args: ["--port=8080", "--log-level=info"],
          ports: [{ name: "http", containerPort: 8080 }],
          env: [
            { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "REGION", value: "eu-west" },
          ],
          resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
          readinessProbe: { httpGet: { path: "/ready", port: "http" } },
          volumeMounts: [{ name: "config", mountPath: "/etc/web" }],
        },
      ],
      volumes: [{ name: "config", configMap: { name: "web" } }],
    },
  });
}
