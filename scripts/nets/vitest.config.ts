// Makes the nets of the checkout it is in; `npm run nets` copies it into checkouts of older commits.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserCommandContext } from "vitest/node";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import common from "../../vitest.config.ts";

/** Folder of the nets, with a folder for each state. */
const folder = process.env["FAIRWAY_NETS_FOLDER"] ?? "";
const onlyStates = process.env["FAIRWAY_NETS_ONLY"] ?? "";

const screens = common.test?.projects?.find(
  (project): project is TestProjectInlineConfiguration =>
    typeof project === "object" && "test" in project && project.test?.name === "screens",
);
if (screens === undefined) throw new Error("vitest.config.ts has no project of screens.");

type Page = BrowserCommandContext["page"];

function save(state: string, file: string, content: string | Buffer): void {
  mkdirSync(join(folder, state), { recursive: true });
  writeFileSync(join(folder, state, file), content);
}

const inFlight = new WeakMap<Page, Set<unknown>>();

/** The requests that a page waits for, from the first call on. */
function requestsOf(page: Page): Set<unknown> {
  const known = inFlight.get(page);
  if (known !== undefined) return known;
  const requests = new Set<unknown>();
  inFlight.set(page, requests);
  page.on("request", (request) => void requests.add(request));
  page.on("requestfinished", (request) => void requests.delete(request));
  page.on("requestfailed", (request) => void requests.delete(request));
  return requests;
}

const takePicture = ({ iframe }: BrowserCommandContext): Promise<Buffer> =>
  iframe.owner().screenshot({ animations: "disabled", caret: "hide", scale: "css" });

/** Until two in a row are the same. */
async function takeStillPicture(context: BrowserCommandContext): Promise<Buffer> {
  let picture = await takePicture(context);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const next = await takePicture(context);
    if (next.equals(picture)) return next;
    picture = next;
  }
  throw new Error("The picture does not stand still.");
}

export default defineConfig({
  ...screens,
  test: {
    ...screens.test,
    name: "nets",
    include: ["web/src/testing/nets/make-nets.tsx"],
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
    provide: { onlyStates },
    browser: {
      ...screens.test?.browser,
      enabled: true,
      commands: {
        filesInFlight: ({ page }: BrowserCommandContext) => requestsOf(page).size,
        prepareWindow: async ({ page }: BrowserCommandContext, width: number, height: number) => {
          await page.setViewportSize({ width, height });
          await page.mouse.move(1, 1);
        },
        saveNet: (_: BrowserCommandContext, state: string, file: string, text: string) => save(state, file, `${text}\n`),
        saveTree: async ({ iframe }: BrowserCommandContext, state: string, file: string) =>
          save(state, file, `${await iframe.locator("body").ariaSnapshot()}\n`),
        savePicture: async (context: BrowserCommandContext, state: string, file: string) =>
          save(state, file, await takeStillPicture(context)),
      },
    },
  },
});
