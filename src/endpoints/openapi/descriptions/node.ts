import type { TypeDescriptions } from "./type-descriptions.js";

export const nodeTypes: TypeDescriptions = {
  RuntimeClass: {
    about: "Names a way of running containers.",
  },
  Overhead: {
    about: "Resources that a runtime needs on top of the containers'.",
  },
  Scheduling: {
    about: "Which nodes have a runtime.",
  },
};
