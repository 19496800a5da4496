import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    target: ["chrome120", "safari17"],
    // Inlined assets would be data: URIs, which the page's CSP forbids for styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    outDir: mode === "fake" ? "../.cache/ui-fake" : "dist",
    emptyOutDir: true,
  },
  // Component code in tests must be Svelte's browser build, not the one for servers.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: {
    include: ["src/**/*.test.ts"],
    environment: "jsdom",
    restoreMocks: true,
    testTimeout: 60_000,
  },
}));
