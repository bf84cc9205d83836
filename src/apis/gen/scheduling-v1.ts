// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface PriorityClass {
  metadata: ObjectMeta;
  value: number;
  globalDefault?: boolean | undefined;
  description?: string | undefined;
  preemptionPolicy?: OpenEnum<"PreemptLowerPriority" | "Never"> | undefined;
}

export interface PriorityClassList {
  metadata: ListMeta;
  items?: PriorityClass[] | undefined;
}
