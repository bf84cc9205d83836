import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { History } from "./history.js";

interface LoggedWrite {
  readonly objectRef?: { readonly namespace?: string };
  readonly requestObject?: { readonly data?: { readonly value?: string } };
}

/**
 * Checks the audit log of a server: however the server dies, its log holds the events of all writes that it acknowledged, in whole
 * lines.
 */
export class AuditCheck {
  readonly #directory = mkdtempSync(join(tmpdir(), "audit-"));

  /** Arguments of the server. Answers wait for their events, one for each. */
  get options(): string[] {
    const policy = join(this.#directory, "policy.json");
    const rules = [{ level: "Request", verbs: ["create", "update"] }];
    const head = { apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"] };
    writeFileSync(policy, JSON.stringify({ ...head, rules }));
    return [
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(this.#directory, "logs", "audit.log")}`,
      "--audit-log-mode=blocking-strict",
      "--audit-log-maxsize=1",
    ];
  }

  /** Problems of the log. Every write of a history stores a distinct value in its namespace. */
  problems(namespace: string, { operations }: History): string[] {
    const logged = new Set<string>();
    const problems: string[] = [];
    const folder = join(this.#directory, "logs");
    for (const file of readdirSync(folder)) {
      const lines = readFileSync(join(folder, file), "utf8").split("\n");
      if (lines.pop() !== "") problems.push(`${file} ends within a line`);
      for (const line of lines) logged.add(valueIn(line));
    }
    for (const { operation, answer, key } of operations) {
      const isWrite = operation.kind === "create" || operation.kind === "update";
      if (isWrite && answer.kind === "object" && !logged.has(`${namespace} ${operation.value}`)) {
        problems.push(`the ${operation.kind} of ${key} to ${operation.value} is not in the audit log`);
      }
    }
    return problems;
  }

  dispose(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Throws for a line that is not an event. */
function valueIn(line: string): string {
  const { objectRef, requestObject }: LoggedWrite = JSON.parse(line);
  return `${objectRef?.namespace} ${requestObject?.data?.value}`;
}
