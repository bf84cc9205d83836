/** A pod that is 1.5 KB of JSON as the server answers it, including defaults and managed fields. `turn` makes each version differ. */
export function podJson(name: string, namespace: string, turn: number): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: { app: "bench", tier: "web", shard: String(turn % 16) },
      annotations: { "example.com/turn": String(turn) },
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "registry.example.com/team/web:1.2.3",
          args: ["--port=8080", "--log-level=info"],
          ports: [{ containerPort: 8080 }],
        },
      ],
    },
  });
}
