/** What the types of the server's own values are called in messages about expressions: `kubernetes.AdmissionRequest`. */
export const celTypePrefix = "kubernetes";
