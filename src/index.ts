export {
  type RunningApiServer,
  type StartApiServerOptions,
  startApiServer,
} from "./server/start-api-server.js";
