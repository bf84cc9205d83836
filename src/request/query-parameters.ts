/** The parameters of a request's query, looked up by name. The first value of a repeated parameter counts, as in Kubernetes. */
export type QueryParameters = Pick<URLSearchParams, "get" | "getAll" | "has">;
