import { demoPassword } from "@fairway/contract/api";
import { test as base, type BrowserContext, expect, type Page } from "@playwright/test";

export type Account = "admin" | "editor" | "developer" | "viewer";

interface Fixtures {
  /**
   * Whether the application prefetches its chunks while the browser is idle. By default the browser's Save-Data setting turns
   * this off, because it takes longer than most journeys; `test.use({ prefetches: true })` turns it on.
   */
  prefetches: boolean;
  /** Signs in a page without the login form; open a screen afterwards. */
  signIn: (account?: Account, page?: Page) => Promise<void>;
  /** The page's console errors and uncaught exceptions; asserted to be empty at the end of each journey. */
  consoleErrors: string[];
  /** Allows console errors that a journey provokes on purpose. */
  expectConsoleErrors: (pattern: RegExp) => void;
}

// Chromium's own messages, such as for error statuses that journeys provoke.
const noise = /Failed to load resource|GPU stall due to ReadPixels/;

export const test = base.extend<Fixtures>({
  prefetches: [false, { option: true }],
  context: async ({ context, prefetches }, use) => {
    if (!prefetches) await saveData(context);
    await use(context);
  },
  signIn: async ({ page, request }, use) => {
    await use(async (account = "viewer", target = page) => {
      const response = await request.post("/api/auth/login", { data: { username: account, password: demoPassword } });
      const { token } = (await response.json()) as { token: { access_token: string; refresh_token: string; expires_in: number } };
      // Stores the session like the login page does, once per tab: later loads use what the session itself stored.
      await target.addInitScript((wrapper) => {
        if (sessionStorage.getItem("test.signed-in") !== null) return;
        sessionStorage.setItem("test.signed-in", "yes");
        sessionStorage.setItem("fairway.session", JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true }));
      }, token);
    });
  },
  consoleErrors: async ({ page }, use) => {
    await use(collectErrors(page));
  },
  expectConsoleErrors: [
    async ({ consoleErrors }, use) => {
      const expected: RegExp[] = [];
      await use((pattern) => expected.push(pattern));
      expect(consoleErrors.filter((message) => !expected.some((pattern) => pattern.test(message)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Turns off that the application prefetches its chunks. */
export const saveData = (context: BrowserContext) =>
  context.addInitScript(() => {
    if ("connection" in navigator) Object.defineProperty(navigator.connection, "saveData", { value: true });
  });

/** Collects the page's console errors and uncaught exceptions from now on. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !noise.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  return errors;
}

export { expect };
