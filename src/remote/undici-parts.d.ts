// The parts of undici that are loaded separately. Their types are those of the whole.

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}
