/** What the built script offers: the commands and the library share it, and the code that V8 compiled of it. */
export { replay, startApiServer } from "./index.js";
export { main } from "./main.js";
