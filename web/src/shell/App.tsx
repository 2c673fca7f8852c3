import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { useStanding } from "../api/session";
import { JobDialogs } from "../dialogs/actions";
import { startLive } from "../live/live";
import { match, usePath } from "../router";
import { Announcer, Toasts } from "../ui/announce";
import { Empty, ErrorNote, Skeleton } from "../ui/Feedback";
import { forgetRow } from "../ui/rows";
import { ApiError } from "../api/error";
import { Help, useHelp } from "./Help";
import { BottomNav, Header } from "./Header";
import { routes, type PageProps, type Route } from "./routes";
import { SignIn } from "./SignIn";
import { Notices, StatusStrip } from "./StatusStrip";
import { useShellKeys } from "./shellKeys";

/** App is the page: who is signed in sees it, who is not is asked to. */
export function App() {
  const standing = useStanding();
  switch (standing.is) {
    case "unknown":
      return (
        <>
          <Early />
          <main class="screen">
            <Skeleton />
          </main>
        </>
      );
    case "silent":
      return (
        <main class="screen">
          <ErrorNote error={standing.error} retry={() => window.location.reload()} />
        </main>
      );
    case "out":
      return <SignIn ways={standing.ways} />;
    case "in":
      return <House />;
  }
}

/** Early is the top of the page before it is known who looks: as index.html has it. */
function Early() {
  return (
    <header class="header">
      <span class="brand">Solocron</span>
    </header>
  );
}

/** House is what stands around every screen. */
function House() {
  useEffect(startLive, []);
  const help = useHelp();
  useShellKeys(help.open);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <Header onHelp={help.open} />
      <StatusStrip />
      <Notices />
      <main id="main" class="screen" tabIndex={-1}>
        <Screen />
      </main>
      <BottomNav />
      <JobDialogs />
      {help.shown && <Help onClose={help.close} />}
      <Toasts />
      <Announcer />
    </>
  );
}

/** Screen is the one that the address names. */
function Screen() {
  const path = usePath();
  for (const route of routes) {
    const params = match(route.pattern, path);
    if (params) return <Lazy key={path} route={route} params={params} />;
  }
  return (
    <Empty title="There is nothing at this address">
      <p>
        <code>{path}</code>
      </p>
    </Empty>
  );
}

const loaded = new Map<Route, ComponentType<PageProps>>();

function Lazy({ route, params }: { route: Route; params: Record<string, string> }) {
  const [page, setPage] = useState(() => loaded.get(route));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (page) return;
    route.load().then(
      (m) => {
        loaded.set(route, m.default);
        setPage(() => m.default);
      },
      () => setFailed(true),
    );
  }, [route]);
  useLayoutEffect(() => forgetRow, []); // an effect would end after a paint, and with the next key
  if (failed) {
    const gone = new ApiError(
      0,
      "offline",
      "Not loaded",
      "This part of the page did not come. A newer version may be out.",
    );
    return <ErrorNote error={gone} retry={() => window.location.reload()} />;
  }
  if (!page) return <Skeleton />;
  const Page = page;
  return <Page params={params} />;
}
