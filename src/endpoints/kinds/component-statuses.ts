import { componentStatuses as readsOf } from "../operations/component-statuses.js";
import type { KindBehaviour } from "./kind-behaviour.js";

export const componentStatuses: KindBehaviour = {
  group: "",
  resource: "componentstatuses",
  operations: ({ components }, definition, version) => readsOf(definition, version, components),
};
