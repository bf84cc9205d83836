import type { TypeDescriptions } from "./type-descriptions.js";

export const discoveryTypes: TypeDescriptions = {
  EndpointSlice: {
    about: "A part of the backends of a service.",
  },
  Endpoint: {
    about: "One backend of a service.",
  },
  EndpointConditions: {
    about: "Whether a backend takes traffic.",
  },
  EndpointHints: {
    about: "Which consumers a backend is meant for.",
  },
  ForZone: {
    about: "Names a zone whose consumers a backend is meant for.",
  },
  EndpointPort: {
    about: "A port of backends.",
  },
};
