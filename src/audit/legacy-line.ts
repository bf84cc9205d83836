import { quoted } from "../apimachinery/errors/quoted-text.js";
import type { AuditEvent } from "./audit-event.js";

/** An event as one line of text, without its end: `--audit-log-format legacy`. Source: kube-apiserver 1.23, `audit.EventString`. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const hasUser = user !== undefined && user.name !== "";
  const groups = hasUser && user.groups.length > 0 ? quotedList(user.groups) : "<none>";
  const asGroups = impersonatedUser === undefined ? "<lookup>" : quotedList(impersonatedUser.groups);
  const namespace = objectRef?.namespace || "<none>";
  const response = responseStatus === undefined ? "<deferred>" : String(responseStatus.code ?? 0);
  const values = [
    ["id", event.auditId],
    ["stage", event.stage],
    ["ip", event.sourceAddresses[0] ?? "<unknown>"],
    ["method", event.verb],
    ["user", hasUser ? user.name : "<none>"],
    ["groups", groups],
    ["as", impersonatedUser?.name ?? "<self>"],
    ["asgroups", asGroups],
    ["user-agent", event.userAgent],
    ["namespace", namespace],
    ["uri", event.requestUri],
    ["response", response],
  ];
  const text = values.map(([name, value]) => `${name}=${quoted(value ?? "")}`).join(" ");
  return `${new Date(event.receivedAt).toISOString().replace(/\.?0*Z$/, "Z")} AUDIT: ${text}`;
}

function quotedList(texts: readonly string[]): string {
  return texts.map(quoted).join(",");
}
