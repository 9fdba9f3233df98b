import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { page } from "vitest/browser";
import { prepareApp, resetApp } from "./open-screen.tsx";

/** The opening that the tests of an `openOnce` share. */
let shared: { isOpen: boolean } | null = null;

/** Begins a test with a new page, unless it goes on with the page of the test before. */
export async function beginPage(): Promise<void> {
  if (!shared?.isOpen) await preparePage();
}

/** Ends the page of a test, unless the next one goes on with it. */
export function endPage(): void {
  if (!shared?.isOpen) leavePage();
}

async function preparePage(): Promise<void> {
  if (innerWidth !== 1440 || innerHeight !== 900) await page.viewport(1440, 900);
  prepareApp();
}

function leavePage(): void {
  // In this order: a spy on a fake timer would put the fake one back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  const problems = resetApp();
  if (problems.length > 0)
    throw new Error(`Calls without a prepared answer, or calls and answers that violate the contract:\n${problems.join("\n")}`);
}

/**
 * Tests of a `describe` that share one opening of a screen: `open` runs once, before the first of them. Each test leaves the screen as
 * it found it, so that each also passes alone. After a failed one the screen opens anew. Spies and fake timers stay until the last
 * test, and answers too unless a `beforeEach` of the file, which runs before each test, replaces them.
 */
export function openOnce(open: () => Promise<void>): void {
  const opening = { isOpen: false };
  beforeAll(() => {
    shared = opening;
  });
  beforeEach(async () => {
    if (opening.isOpen) return;
    opening.isOpen = true;
    await open();
  });
  // Runs before the hook that ends the page.
  afterEach(({ task }) => {
    if (task.result?.state === "fail") opening.isOpen = false;
  });
  afterAll(() => {
    shared = null;
    if (opening.isOpen) leavePage();
  });
}
