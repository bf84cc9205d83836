import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ObservedServer {
  /** Options of a server that tells all it can of each request. */
  readonly args: readonly string[];
  /** Removes the files. */
  dispose(): void;
}

/** Logs of requests and headers, audit events with bodies, and a span for every request, which nobody receives. */
export function observedServer(): ObservedServer {
  const directory = mkdtempSync(join(tmpdir(), "observed-"));
  const file = (name: string, content: object): string => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "RequestResponse" }] };
  const tracing = {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: "127.0.0.1:1",
    samplingRatePerMillion: 1_000_000,
  };
  return {
    args: [
      "-v=8",
      `--audit-policy-file=${file("policy.json", policy)}`,
      `--audit-log-path=${join(directory, "audit.log")}`,
      `--tracing-config-file=${file("tracing.json", tracing)}`,
      "--feature-gates=CustomResourceValidationExpressions=true,APIServerTracing=true",
    ],
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}
