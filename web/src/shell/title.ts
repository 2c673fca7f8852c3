import { useEffect } from "preact/hooks";
import { useSession } from "../api/session";

/** useTitle names the window after the screen and the environment. */
export function useTitle(name: string): void {
  const place = useSession()?.environment.name;
  useEffect(() => {
    document.title = [name, place, "Solocron"].filter(Boolean).join(" · ");
  }, [name, place]);
}
