// Bundles what units.ts names for node, and loads it: pure functions, without a browser.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

/** units gives the functions that are tested alone; name is of whose tests they are, as files may be tested at once. */
export async function units(name) {
  // The modules look at the browser when they are loaded; a function does not.
  globalThis.localStorage ??= { getItem: () => null, setItem() {} };
  globalThis.document ??= { baseURI: "http://localhost/", addEventListener() {} };
  globalThis.window ??= { location: { pathname: "/", search: "", hash: "" }, addEventListener() {} };
  const out = join(import.meta.dirname, "..", ".cache", name);
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: join(import.meta.dirname, "units.ts"), outDir: out, emptyOutDir: true },
    ssr: { noExternal: true },
  });
  return import(pathToFileURL(join(out, "units.js")));
}
