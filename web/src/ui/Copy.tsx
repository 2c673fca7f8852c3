import { useEffect, useState } from "preact/hooks";
import { announce } from "./announce";
import { Button } from "./Button";

/** copy puts text on the clipboard, also where the browser has none for pages (plain HTTP). */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "away";
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** CopyButton copies text. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, say] = useState("");
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      small
      title={text}
      onClick={async () => {
        const done = await copy(text);
        say(done ? "Copied" : "Not copied");
        announce(done ? "Copied" : "The browser did not let it be copied");
      }}
    >
      {said || label}
    </Button>
  );
}

/** CommandLine shows what does the same in a shell. */
export function CommandLine({ command, label = "Same as" }: { command: string; label?: string }) {
  return (
    <div class="command">
      <span class="muted">{label}</span>
      <code tabIndex={0}>{command}</code>
      <CopyButton text={command} />
    </div>
  );
}

/** quoted is a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** commandLine joins words for a shell. */
export function commandLine(...words: string[]): string {
  return words.map(quoted).join(" ");
}
