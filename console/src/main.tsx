import { render } from "preact";
import { guardDrafts } from "./state/drafts.ts";
import { begin, followLinks } from "./state/session.ts";
import "./state/theme.ts";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/table.css";
import "./styles/object.css";
import "./styles/server.css";
import { App } from "./views/app.tsx";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
  followLinks();
  guardDrafts();
  void begin();
}
