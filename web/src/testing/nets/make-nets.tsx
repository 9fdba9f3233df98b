import { expect, inject, it } from "vitest";
import { commands, page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import type { ScreenState } from "#testing/screen-state.ts";
import { fixWorld, maskPictures } from "./fixed-world.ts";
import { byText, openRequestLog, type RequestLog } from "./request-log.ts";
import { settled } from "./settled.ts";

// Run by `npm run nets`, never by `npm test`: scripts/nets/vitest.config.ts.

// The light theme comes last: after a change of the theme all is painted anew, after steps only parts, whose edges differ.
const windows = [
  { width: 1440, height: 900, themes: ["dark", "light"] },
  { width: 390, height: 844, themes: ["dark", "light"] },
] as const;

const files = import.meta.glob<{ states: readonly ScreenState[] }>("../../**/*-states.ts");
const only = new RegExp(inject("onlyStates"));
const states = new Map<string, ScreenState>();
const unreadable: { file: string; message: string }[] = [];

for (const [path, load] of Object.entries(files)) {
  const file = path.replace(/^.*\//, "");
  try {
    for (const state of (await load()).states) {
      if (states.has(state.name)) throw new Error(`Two states are named ${state.name}.`);
      states.set(state.name, state);
    }
  } catch (error) {
    // An older commit may lack what some states need.
    unreadable.push({ file, message: String(error) });
  }
}

for (const { file, message } of unreadable) it(`states of ${file}`, () => expect.unreachable(message));

for (const state of states.values())
  for (const { width, height, themes } of windows.filter((one) => only.test(state.name) && (one.width === 1440 || state.phone)))
    it(`${state.name}${width === 1440 ? "" : ` at ${width}`}`, async () => {
      await commands.prepareWindow(width, height);
      await page.viewport(width, height);
      await showTheme("light");
      fixWorld();
      serveDatasets(gateway);
      const log = openRequestLog();
      const unmask = maskPictures();
      try {
        const calls = await reach(state, log);
        await commands.saveNet(state.name, `calls-${width}.txt`, calls.join("\n"));
        await commands.saveTree(state.name, `tree-${width}.yml`);
        for (const theme of themes) {
          await showTheme(theme);
          await settled(log.activity);
          await commands.savePicture(state.name, `${theme}-${width}.png`);
        }
        expect(calls).not.toEqual([]);
      } finally {
        unmask();
        log.close();
      }
    });

/** Opens the state and returns the calls of each step. */
async function reach({ answers, open, roles = [], steps = [], shows }: ScreenState, log: RequestLog): Promise<string[]> {
  await answers?.();
  const opening = typeof open === "string" ? () => openScreen(open, { roles: [...roles] }) : open;
  const calls: string[][] = [];
  for (const step of [opening, ...steps]) {
    await step();
    // A typed text is searched for a while later.
    await settled(log.activity, { restMs: 700 });
    calls.push(await log.endStep());
  }
  await expect.element(shows()).toBeVisible();
  await settled(log.activity);
  calls.at(-1)?.push(...(await log.endStep()));
  return calls.flatMap((lines, index) => [[index === 0 ? "open" : `step ${index}`], lines.toSorted(byText)].flat());
}

/** As another tab does. The sign-in page has no other tabs to follow. */
async function showTheme(theme: "light" | "dark"): Promise<void> {
  dispatchEvent(new StorageEvent("storage", { storageArea: localStorage, key: "fairway.theme", newValue: theme }));
  await new Promise(requestAnimationFrame);
  document.documentElement.dataset["mantineColorScheme"] = theme;
}
