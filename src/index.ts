export { ApiServer } from "./server/api-server.js";
