/** The prefix of the server's own types in messages about expressions: `kubernetes.AdmissionRequest`. */
export const celTypePrefix = "kubernetes";
