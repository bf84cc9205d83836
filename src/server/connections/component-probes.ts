import { messageOf } from "../../apimachinery/errors/message-of.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ComponentProbe } from "../../endpoints/operations/component-statuses.js";
import type { Naming } from "../../naming/naming.js";
import { callUpstream, UpstreamError } from "../../serving/proxy/upstream.js";

/** Where the other control plane components on this machine listen. */
const controllerManagerPort = 10257;
const schedulerPort = 10259;

const probeTimeoutMs = 20_000;
const answerBytesMax = 10_000;
/** The message for a healthy store: until 1.24 that of a healthy etcd. */
function wellAt(level: ApiLevel): string {
  if (isAtLeast(level, "1.28")) return "ok";
  return isAtLeast(level, "1.25") ? "" : '{"health":"true","reason":""}';
}

export interface ComponentProbesParts {
  readonly naming: Naming;
  readonly level: ApiLevel;
  /** Rejects while the store does not answer. */
  readonly checkStore: () => Promise<void>;
  /** The endpoints of `--store-servers`; an embedded store counts as one. */
  readonly storeServers: number;
}

/** The components that ComponentStatus reports, by name. */
export function componentProbes(parts: ComponentProbesParts): ComponentProbe[] {
  const well = wellAt(parts.level);
  const stores = Array.from({ length: Math.max(1, parts.storeServers) }, (_, index) => ({
    name: `${parts.naming.storeName}-${index}`,
    check: () => storeHealth(parts.checkStore, well),
  }));
  return [
    { name: "controller-manager", check: (signal) => localHealth(controllerManagerPort, signal) },
    ...stores,
    { name: "scheduler", check: (signal) => localHealth(schedulerPort, signal) },
  ];
}

type Health = Awaited<ReturnType<ComponentProbe["check"]>>;

async function storeHealth(check: () => Promise<void>, well: string): Promise<Health> {
  try {
    await check();
    return { healthy: true, message: well };
  } catch (error) {
    return { healthy: false, message: messageOf(error) };
  }
}

async function localHealth(port: number, signal: AbortSignal): Promise<Health> {
  const target = {
    protocol: "https",
    host: "127.0.0.1",
    port,
    tls: { verify: false },
    connectTimeoutMs: probeTimeoutMs,
  } as const;
  const url = `https://127.0.0.1:${port}/healthz`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
  try {
    const headers = { host: `127.0.0.1:${port}`, accept: "*/*" };
    const { response } = await callUpstream(target, { method: "GET", path: "/healthz", headers }, limit);
    const status = response.statusCode ?? 0;
    let text = "";
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length >= answerBytesMax) break;
    }
    return status >= 200 && status < 400
      ? { healthy: true, message: text }
      : { healthy: false, message: `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    const why = error instanceof UpstreamError ? error.message : "context deadline exceeded";
    return { healthy: false, message: `Get ${JSON.stringify(url)}: ${why}` };
  }
}
