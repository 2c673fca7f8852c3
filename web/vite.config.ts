import { defineConfig } from "vite";

// The build must give the same bytes everywhere: no dates, no absolute paths. All addresses are relative to
// the <base> that the server writes, so the page works below any path.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../admin/page/dist",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // those with light-dark(), on which the themes rest
    assetsInlineLimit: 0, // a data: URL is against the Content-Security-Policy
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
