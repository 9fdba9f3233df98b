import { demoPassword } from "@fairway/contract/api";
import { test as base, expect, type Page } from "@playwright/test";

export type Account = "admin" | "editor" | "developer" | "viewer";

interface Fixtures {
  /**
   * Whether the application fetches its parts ahead while the browser is idle. Off by the browser's own Save-Data, unless a
   * file says `test.use({ loadsAhead: true })`: it costs each page more than the journey itself.
   */
  loadsAhead: boolean;
  /** Signs the page's tab in without the form; open a screen afterwards. */
  signIn: (account?: Account, page?: Page) => Promise<void>;
  /** Everything the browser complained about; asserted empty at the end of each journey. */
  complaints: string[];
  /** Complaints that a journey provokes on purpose. */
  expectComplaints: (pattern: RegExp) => void;
}

// Chromium's own words for an answer with an error status, which journeys provoke; the screen's reaction is what is asserted.
const noise = /Failed to load resource|GPU stall due to ReadPixels/;

export const test = base.extend<Fixtures>({
  loadsAhead: [false, { option: true }],
  context: async ({ context, loadsAhead }, use) => {
    if (!loadsAhead) {
      await context.addInitScript(() => {
        if ("connection" in navigator) Object.defineProperty(navigator.connection, "saveData", { value: true });
      });
    }
    await use(context);
  },
  signIn: async ({ page, request }, use) => {
    await use(async (account = "viewer", target = page) => {
      const response = await request.post("/api/auth/login", { data: { username: account, password: demoPassword } });
      const { token } = (await response.json()) as { token: { access_token: string; refresh_token: string; expires_in: number } };
      // As the sign-in page leaves it. Once per tab: later loads find what the session itself stored.
      await target.addInitScript((wrapper) => {
        if (sessionStorage.getItem("test.signed-in") !== null) return;
        sessionStorage.setItem("test.signed-in", "yes");
        sessionStorage.setItem("fairway.session", JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true }));
      }, token);
    });
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !noise.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
    await use(complaints);
  },
  expectComplaints: [
    async ({ complaints }, use) => {
      const expected: RegExp[] = [];
      await use((pattern) => expected.push(pattern));
      expect(complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
