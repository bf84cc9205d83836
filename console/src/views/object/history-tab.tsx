import type { Resource } from "../../api/discovery.ts";
import type { ObjectAt } from "./object-page.tsx";

export function HistoryTab(_: { readonly resource: Resource; readonly at: ObjectAt }) {
  return null;
}
