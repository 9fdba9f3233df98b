import "#lib/zod-jitless.ts";
import "#ui/base.css";
import "#ui/mantine.css";
import "#features/search/search-extensions.ts";
import { afterEach, beforeEach, vi } from "vitest";
import { page } from "vitest/browser";
import { prepareApp, resetApp } from "./open-screen.tsx";

beforeEach(async () => {
  if (innerWidth !== 1440 || innerHeight !== 900) await page.viewport(1440, 900);
  prepareApp();
});

afterEach(() => {
  // In this order: a spy on a fake timer would put the fake one back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  const problems = resetApp();
  if (problems.length > 0)
    throw new Error(`Calls without a prepared answer, or calls and answers that violate the contract:\n${problems.join("\n")}`);
});
