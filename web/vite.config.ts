import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  // The gateway puts a fresh nonce in its place with every page it serves.
  html: { cspNonce: "__NONCE__" },
  build: {
    manifest: true,
    sourcemap: false,
    // data: addresses would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: "index.html", login: "login.html" } },
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://localhost:8080", "/static": "http://localhost:8080" } },
});
