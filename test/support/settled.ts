import { expect } from "vitest";
import type { ApiAnswer, ApiClient } from "./api-client.js";

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Resources whose status a controller of the server writes, with the condition that it writes last. */
const lastConditions: Readonly<Record<string, string>> = {
  customresourcedefinitions: "Established",
  flowschemas: "Dangling",
  apiservices: "Available",
};

/** Whether the server writes to objects of this resource after their creation, even without optional controllers. */
export function isWrittenByServer(resource: string): boolean {
  return resource in lastConditions;
}

/** The object after the server's controllers have written to it. */
export async function settled(
  api: Pick<ApiClient, "get">,
  resource: string,
  path: string,
): Promise<ApiAnswer> {
  if (resource === "resourcequotas") {
    await expect.poll(async () => (await api.get(path)).body.status.used).toBeDefined();
  }
  const last = lastConditions[resource];
  if (last !== undefined) {
    await expect
      .poll(async () => {
        const { body } = await api.get(path);
        const conditions: readonly Condition[] = body.status?.conditions ?? [];
        const isRefused = conditions.some(
          ({ type, status }) => type === "NamesAccepted" && status === "False",
        );
        const found = conditions.find(({ type }) => type === last);
        return found !== undefined && (last !== "Established" || found.status === "True" || isRefused);
      })
      .toBe(true);
  }
  return await api.get(path);
}
