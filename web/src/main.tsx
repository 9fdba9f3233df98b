import "#lib/zod-jitless.ts";
import "#ui/base.css";
import "#ui/mantine.css";
import { createRoot } from "react-dom/client";
import { loadPortalSettings, loadUiConfig } from "#lib/portal-settings.ts";
import { App } from "#shell/app.tsx";

async function open(): Promise<void> {
  void loadUiConfig();
  await loadPortalSettings();
  const root = document.querySelector("#root");
  if (root) createRoot(root).render(<App />);
}

void open();
