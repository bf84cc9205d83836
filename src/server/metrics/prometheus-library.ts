/**
 * What is used of the metrics library: import this file only when somebody asks for metrics. (The bundler gives a CommonJS library
 * its named exports only through a static import.)
 */
export { collectDefaultMetrics, Registry } from "prom-client";
