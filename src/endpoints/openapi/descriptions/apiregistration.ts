import type { TypeDescriptions } from "./type-descriptions.js";

export const apiregistrationTypes: TypeDescriptions = {
  ServiceReference: {
    about: "Names a service.",
  },
  APIService: {
    about: "Says which server answers for a group and version.",
  },
};
