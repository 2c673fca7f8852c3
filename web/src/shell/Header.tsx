import { useState } from "preact/hooks";
import { signOut, useSession } from "../api/session";
import { Place } from "../dialogs/ActionDialog";
import { Link, navigate, usePath, withQuery } from "../router";
import { browserZone, chooseZone, useZoneChoice, type ZoneChoice } from "../time/zone";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ThemeSwitch } from "../ui/theme";
import { placeOf, places } from "./routes";

/** Header is the top of the page: where one is, where one can go, and how it looks. */
export function Header({ onHelp }: { onHelp: () => void }) {
  const here = placeOf(usePath());
  return (
    <header class="header">
      <Link to="/" class="brand">
        <Mark />
        <span>Solocron</span>
      </Link>
      <Place />
      <nav class="nav" aria-label="Main">
        {places.map((p) => (
          <Link key={p.path} to={p.path} aria-current={p.path === here ? "page" : undefined}>
            {p.name}
          </Link>
        ))}
      </nav>
      <div class="header-end">
        <ZoneSwitch />
        <ThemeSwitch />
        <Who />
        <Button look="bare" small aria-label="Keys and help" title="Keys (?)" onClick={onHelp}>
          ?
        </Button>
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true" class="mark">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <circle cx="16" cy="16" r="9" fill="none" class="mark-line" stroke-width="2.5" />
      <path d="M16 10.5V16l4 2.5" fill="none" class="mark-line" stroke-width="2.5" stroke-linecap="round" />
    </svg>
  );
}

/** ZoneSwitch chooses the zone in which times are shown; it is in the address, for whoever is sent it. */
export function ZoneSwitch() {
  const choose = (zone: ZoneChoice) => {
    chooseZone(zone);
    navigate(withQuery({ zone }), { replace: true });
  };
  return (
    <label class="pick">
      <span class="away">Time zone</span>
      <select
        value={useZoneChoice()}
        title="Time zone"
        onChange={(e) => choose(e.currentTarget.value as ZoneChoice)}
      >
        <option value="job">Each job's zone</option>
        <option value="utc">UTC</option>
        <option value="browser">{browserZone}</option>
      </select>
    </label>
  );
}

/** Who says who looks, and what they may. */
function Who() {
  const session = useSession();
  if (!session || session.via === "loopback" || session.via === "nothing") return null;
  return (
    <span class="who">
      <span title={`${session.name}, ${session.role}`}>{session.name}</span>
      {session.canSignOut && (
        <Button look="bare" small onClick={() => void signOut()}>
          Sign out
        </Button>
      )}
    </span>
  );
}

/** BottomNav is the navigation of phones. */
export function BottomNav() {
  const here = placeOf(usePath());
  const [more, setMore] = useState(false);
  const rest = places.filter((p) => !p.phone);
  return (
    <nav class="bottom" aria-label="Main, for phones">
      {places
        .filter((p) => p.phone)
        .map((p) => (
          <Link key={p.path} to={p.path} aria-current={p.path === here ? "page" : undefined}>
            {p.name}
          </Link>
        ))}
      <button
        type="button"
        aria-current={rest.some((p) => p.path === here) ? "page" : undefined}
        onClick={() => setMore(true)}
      >
        More
      </button>
      {more && (
        <Dialog title="More" onClose={() => setMore(false)}>
          <div class="dialog-main more">
            {rest.map((p) => (
              <Link key={p.path} to={p.path} onClick={() => setMore(false)}>
                {p.name}
              </Link>
            ))}
            <ZoneSwitch />
            <ThemeSwitch />
            <Who />
          </div>
        </Dialog>
      )}
    </nav>
  );
}
