import { useState } from "preact/hooks";
import { useStore } from "../store";
import { Dialog } from "../ui/Dialog";
import { singleKeys, useBindings } from "../ui/keys";

/** useHelp opens and closes the list of keys. */
export function useHelp() {
  const [shown, show] = useState(false);
  return { shown, open: () => show(true), close: () => show(false) };
}

/** Help lists what keys do on this screen. */
export function Help({ onClose }: { onClose: () => void }) {
  const on = useStore(singleKeys) === "on";
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="dialog-main">
        <dl class="keys">
          {useBindings().map((b) => (
            <div key={b.keys}>
              <dt>
                {b.keys.split(" ").map((k) => (
                  <kbd key={k}>{k}</kbd>
                ))}
              </dt>
              <dd>{b.what}</dd>
            </div>
          ))}
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>Close a dialog</dd>
          </div>
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={on}
            onChange={(e) => singleKeys.set(e.currentTarget.checked ? "on" : "off")}
          />
          Keys do this outside of fields
        </label>
        <p class="muted">
          The API behind this page: <a href="api/v1/docs">description</a>, and <code>scheduler --help</code>{" "}
          for a shell.
        </p>
      </div>
    </Dialog>
  );
}
