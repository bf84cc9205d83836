/** Which OpenAPI is written: Swagger 2.0, or 3.0 with its defaults and alternatives. */
export type Dialect = "v2" | "v3";
