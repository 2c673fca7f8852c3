import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/ui.css";
import "./styles/pages.css";
import "./styles/runs.css";
import { loadSession } from "./api/session";
import { App } from "./shell/App";
import { startKeys } from "./ui/keys";
import { startTheme } from "./ui/theme";

startTheme();
startKeys();
void loadSession();
const page = document.getElementById("page")!;
page.replaceChildren(); // what index.html shows at once would stay beside it
render(<App />, page);
