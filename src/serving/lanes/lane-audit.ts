import type { AnsweredList, AuditLevel, AuditTrail } from "../../request/audit-trail.js";
import type { AuditNote } from "./lane-messages.js";
import { unsharedBytes } from "./unshared-bytes.js";

/** Collects, in a lane, what the serving thread will record. */
export class LaneAuditTrail implements AuditTrail {
  readonly level: AuditLevel;
  readonly notes: AuditNote[] = [];

  constructor(level: AuditLevel) {
    this.level = level;
  }

  annotate(key: string, value: string): void {
    this.notes.push({ kind: "annotate", key, value });
  }

  annotateAll(facts: ReadonlyMap<string, string>): void {
    for (const [key, value] of facts) this.annotate(key, value);
  }

  identify(object: Parameters<AuditTrail["identify"]>[0]): void {
    const { namespace, name, uid, resourceVersion } = object;
    this.notes.push({ kind: "identify", object: { namespace, name, uid, resourceVersion } });
  }

  recordRequest(json: () => string | Uint8Array): void {
    if (this.level !== "Metadata") this.notes.push({ kind: "request", json: ownText(json()) });
  }

  recordResponse(json: () => string | Uint8Array): void {
    if (this.level === "RequestResponse") this.notes.push({ kind: "response", json: ownText(json()) });
  }

  recordResponseList({ head, member, items, itemHead }: AnsweredList): void {
    if (this.level !== "RequestResponse") return;
    const list = { head, member, items: items.map(unsharedBytes), itemHead: unsharedBytes(itemHead) };
    this.notes.push({ kind: "responseList", list });
  }

  recordStored(revision: number): void {
    this.notes.push({ kind: "stored", revision });
  }

  recordStatus(status: Parameters<AuditTrail["recordStatus"]>[0]): void {
    this.notes.push({ kind: "status", status });
  }
}

function ownText(json: string | Uint8Array): string | Uint8Array {
  return typeof json === "string" ? json : unsharedBytes(json);
}

/** Records what a lane collected. */
export function recordNotes(trail: AuditTrail, notes: readonly AuditNote[]): void {
  for (const note of notes) {
    switch (note.kind) {
      case "annotate":
        trail.annotate(note.key, note.value);
        break;
      case "identify":
        trail.identify(note.object);
        break;
      case "request":
        trail.recordRequest(() => note.json);
        break;
      case "response":
        trail.recordResponse(() => note.json);
        break;
      case "responseList":
        trail.recordResponseList(note.list);
        break;
      case "stored":
        trail.recordStored(note.revision);
        break;
      case "status":
        trail.recordStatus(note.status);
        break;
    }
  }
}
