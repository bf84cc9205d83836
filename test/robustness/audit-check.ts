import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { History } from "./history.js";

interface LoggedWrite {
  readonly auditID: string;
  readonly stage: string;
  readonly requestObject?: { readonly data?: { readonly value?: string } };
}

/**
 * Checks the audit log of a server: however the server dies, its log holds the events of all writes that it answered, in whole lines.
 */
export class AuditCheck {
  readonly #directory = mkdtempSync(join(tmpdir(), "audit-"));

  /** Arguments of the server. Answers wait for their events, one for each. */
  get options(): string[] {
    const policy = join(this.#directory, "policy.json");
    const rules = [{ level: "Request", verbs: ["create", "update", "delete"] }];
    const head = { apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"] };
    writeFileSync(policy, JSON.stringify({ ...head, rules }));
    return [
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(this.#directory, "logs", "audit.log")}`,
      "--audit-log-mode=blocking-strict",
      "--audit-log-maxsize=1",
    ];
  }

  check({ operations }: History): AuditResult {
    const logged = new Map<string, LoggedWrite>();
    const problems: string[] = [];
    const folder = join(this.#directory, "logs");
    for (const file of readdirSync(folder)) {
      const lines = readFileSync(join(folder, file), "utf8").split("\n");
      if (lines.pop() !== "") problems.push(`${file} ends within a line`);
      for (const line of lines) {
        // Throws for a line that is not an event.
        const event: LoggedWrite = JSON.parse(line);
        if (event.stage === "ResponseComplete") logged.set(event.auditID, event);
      }
    }
    let answered = 0;
    for (const { operation, answer, key, auditId = "" } of operations) {
      if (operation.kind === "get" || !certain.has(answer.kind)) continue;
      answered++;
      const event = logged.get(auditId);
      const value = operation.kind === "delete" ? undefined : operation.value;
      if (event === undefined) {
        problems.push(`the ${operation.kind} of ${key} (${value}, ${answer.kind}) is not in the audit log`);
      } else if (event.requestObject?.data?.value !== value) {
        problems.push(`the ${operation.kind} of ${key} (${value}) is logged with another object`);
      }
    }
    return { answered, problems };
  }

  dispose(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Answers from the server, whether the write was carried out or not. */
const certain: ReadonlySet<string> = new Set(["object", "deleted", "absent", "exists", "conflict"]);

export interface AuditResult {
  /** Writes that were answered. */
  readonly answered: number;
  readonly problems: readonly string[];
}
