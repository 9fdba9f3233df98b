import { docs, type DocEntry } from "@fairway/contract/docs";
import { externalPages } from "@fairway/contract/external-pages";
import { filesets } from "@fairway/contract/filesets";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

const faq = [
  { question: "How do I search?", answer: "Choose a **dataset** first." },
  { question: "What does “größer” mean?", answer: ["The first paragraph.", "The second paragraph.", "<b>The third</b>"] },
];
const video = (id: string, name: string, overrides: Partial<DocEntry> = {}): DocEntry => ({
  id,
  name,
  category: "video/mp4",
  description: `About ${name}`,
  hasContent: true,
  hasPreview: false,
  hasCaptions: false,
  ...overrides,
});

const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const panel = (name: string) => page.getByRole("navigation", { name, exact: true });

beforeEach(() => serveDatasets(gateway));

it("[ROUTE-14] [SHELL-14] [FAQ-01] [FAQ-03] [FAQ-05] [FAQ-06] [FAQ-07] [FAQ-08] FAQs show a question's answer when it is opened", async () => {
  gateway.answer(filesets.download, JSON.stringify(faq));
  await openScreen("/FAQ");
  await expect.element(heading("FAQs")).toBeVisible();
  await expect.element(panel("Docs").getByRole("link", { name: "FAQ" })).toHaveAttribute("aria-current", "page");
  await expectTexts(page.getByRole("list", { name: "Questions" }).getByRole("listitem"), ["How do I search?", "What does “größer” mean?"]);
  const first = page.getByRole("button", { name: "How do I search?" });
  await expect.element(first).toHaveAttribute("aria-expanded", "false");
  await first.click();
  await expect.element(page.getByText("Choose a dataset first.")).toBeVisible();
  await expectCount(page.getByRole("listitem").first().css("p"), 1);
  await first.click();
  await expect.element(page.getByText("Choose a dataset first.")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "What does “größer” mean?" }).click();
  await expectTexts(page.getByRole("listitem").nth(1).css("p"), ["The first paragraph.", "The second paragraph.", "<b>The third</b>"]);
  await expectAccessible();
  expect(gateway.received(filesets.download)[0]).toMatchObject({ params: { id: "help" }, query: { file: "faq.json" } });
});

it("[FAQ-02] [FAQ-04] the filter narrows the questions", async () => {
  gateway.answer(filesets.download, JSON.stringify(faq));
  await openScreen("/FAQ");
  const filter = page.getByPlaceholder("filter questions", { exact: true });
  await filter.fill("SECOND größer");
  await expectTexts(page.getByRole("list", { name: "Questions" }).getByRole("listitem"), ["What does “größer” mean?"]);
  await filter.fill("nothing like it");
  await expect.element(page.getByText("no matching questions found", { exact: true })).toBeVisible();
});

it("[FAQ-09] FAQs that cannot be loaded can be retried, also after a broken file", async () => {
  gateway.answer(filesets.download, "{");
  await openScreen("/FAQ");
  const failed = page.getByRole("alert");
  await expect.element(failed.getByText("Error loading FAQ", { exact: true })).toBeVisible();
  gateway.answer(filesets.download, JSON.stringify(faq));
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("button", { name: "How do I search?" })).toBeVisible();
});

it("a question is found in the palette and opened by its address", async () => {
  gateway.answer(filesets.download, JSON.stringify(faq));
  await openScreen("/search");
  await expect.element(heading("Datasets")).toBeVisible();
  await press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill("größer");
  await page.getByRole("option", { name: /größer/ }).click();
  await expect.element(heading("FAQs")).toBeVisible();
  await expect.element(page.getByText("The second paragraph.")).toBeVisible();
  expect(location.search).toBe(`?${new URLSearchParams({ question: "what-does-größer-mean" }).toString()}`);
});

it("[ROUTE-15] [SHELL-12] [TUTORIAL-01] [TUTORIAL-02] [TUTORIAL-03] [TUTORIAL-06] [TUTORIAL-07] tutorial videos are cards that open a player", async () => {
  const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  gateway.answer(docs.list, [
    video("first", "First steps", { hasPreview: true, hasCaptions: true }),
    video("second", "Second steps"),
    video("manual", "A manual", { category: "application/pdf" }),
  ]);
  gateway.answer(docs.url, ({ params: { docId, type } }) => ({ url: type === "preview" ? pixel : `/video-of-${docId}` }));
  await openScreen("/tutorials");
  await expect.element(heading("Tutorial Videos")).toBeVisible();
  await expect.element(panel("Docs").getByRole("link", { name: "Tutorial Videos" })).toHaveAttribute("aria-current", "page");
  const cards = page.getByRole("list", { name: "Tutorial videos" }).getByRole("button");
  await expectTexts(cards, [/First steps.*About First steps/s, /Second steps/]);
  await expect.element(cards.nth(0).css("img")).toHaveAttribute("src", pixel);
  await expectAccessible();
  await cards.nth(0).click();
  const player = page.getByRole("dialog", { name: "First steps" });
  await expect.element(player.css("video")).toHaveAttribute("src", "/video-of-first");
  await expect.element(player.css("track")).toHaveAttribute("src", "/api/docs/first/captions");
  expect(location.search).toBe("?video=first");
  const { width, height } = (await player.findElement()).getBoundingClientRect();
  expect([width, height]).toEqual([innerWidth, innerHeight]);
  await player.getByRole("button", { name: "Close" }).click();
  await expect.element(player).not.toBeInTheDocument();
  expect(location.search).toBe("");
});

/** The address of ten seconds of silence. */
function silence(): string {
  const rate = 8_000;
  const samples = new Uint8Array(10 * rate).fill(128);
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, value: string) => new Uint8Array(header.buffer).set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  header.setUint32(4, 36 + samples.length, true);
  text(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  text(36, "data");
  header.setUint32(40, samples.length, true);
  return URL.createObjectURL(new Blob([header.buffer, samples], { type: "audio/wav" }));
}

it("after a reload, a video continues where it was, and from its start once it has ended", async () => {
  gateway.answer(docs.list, [video("first", "First steps")]);
  gateway.answer(docs.url, { url: silence() });
  const player = async () => (await page.getByRole("dialog", { name: "First steps" }).css("video").findElement()) as HTMLVideoElement;
  const leaveAt = async (seconds: number) => {
    const element = await player();
    const seek = () => {
      element.pause();
      element.currentTime = seconds;
      return sessionStorage.getItem("fairway.tab.video-positions");
    };
    // The first ones may come before the video is loaded.
    await expect.poll(seek, { interval: 100 }).toContain(`"first":${seconds}`);
    await reloadScreen();
  };
  await openScreen("/tutorials?video=first");
  await leaveAt(4);
  const continued = await player();
  await expect.poll(() => continued.currentTime).toBeGreaterThan(0);
  expect(continued.currentTime).toBeGreaterThanOrEqual(4);
  await leaveAt(9.8);
  const restarted = await player();
  restarted.muted = true;
  // As soon as it plays: a busy machine looks too late.
  const first = new Promise<number>((resolve) => {
    restarted.addEventListener("timeupdate", () => restarted.currentTime > 0 && resolve(restarted.currentTime));
  });
  await restarted.play();
  expect(await first).toBeLessThan(4);
});

it("a video that fails is requested again at a new address once, and then offers a retry", async () => {
  let addresses = 0;
  gateway.answer(docs.list, [video("first", "First steps")]);
  gateway.answer(docs.url, () => ({ url: `/expired-${(addresses += 1)}` }));
  await openScreen("/tutorials?video=first");
  const player = page.getByRole("dialog", { name: "First steps" });
  await expect.element(player.getByText("Error loading video.")).toBeVisible();
  expect(addresses).toBe(2);
});

it("[SHELL-13] [TUTORIAL-04] without a video the menu has no Tutorial Videos, and the screen says so", async () => {
  gateway.answer(docs.list, [video("manual", "A manual", { category: "application/pdf" })]);
  await openScreen("/tutorials");
  await expect.element(page.getByText("no tutorial videos available", { exact: true })).toBeVisible();
  await expect.element(panel("Docs").getByRole("link", { name: "FAQ" })).toBeVisible();
  await expect.element(panel("Docs").getByRole("link", { name: "Tutorial Videos" })).not.toBeInTheDocument();
});

it("[SESSION-20] a failure to load the docs on login is only logged", async () => {
  const log = vi.spyOn(console, "warn").mockReturnValue(undefined);
  gateway.refuse(docs.list, "internal", "It broke.");
  await openScreen("/search");
  await expect.poll(() => log.mock.calls.map(([text]) => String(text))).toContain("The docs could not be loaded for ada:");
  expect(gateway.received(docs.list)).toHaveLength(1);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

const wiki = { name: "wiki", displayName: "Team wiki", faIcon: "book", role: "*", navBar: "search" as const };
const status = { name: "status", displayName: "Status page", role: "*", navBar: "docs" as const };
const secret = { name: "secret", displayName: "Secret page", role: "admin", navBar: "docs" as const };

it("[ROUTE-43] [ROUTE-44] [SHELL-11] [SHELL-17] [SHELL-18] [SHELL-19] [EXTVIEW-01] [EXTVIEW-02] [EXTVIEW-03] [EXTVIEW-05] an external page is framed from the menu, with an overlay", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki, status, secret] });
  gateway.answer(externalPages.page, { url: "https://wiki.example/start", role: "*", allowSameOrigin: true, framing: "unknown" });
  await openScreen("/FAQ");
  await expect.element(panel("Docs").getByRole("link", { name: "Status page" })).toHaveAttribute("href", "/external/status");
  await expect.element(panel("Docs").getByRole("link", { name: "Secret page" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const link = panel("Search").getByRole("link", { name: "Team wiki" });
  await expect.element(link.css("svg[data-icon=book]")).toBeVisible();
  await link.click();
  await expect.element(heading("Team wiki")).toBeVisible();
  await expect.element(link).toHaveAttribute("aria-current", "page");
  const frame = page.css("iframe[title='Team wiki']");
  await expect.element(frame).toHaveAttribute("src", "https://wiki.example/start");
  await expect.element(frame).toHaveAttribute("sandbox", "allow-scripts allow-forms allow-popups allow-same-origin");
  const overlay = page.getByRole("region", { name: "About this page" });
  const newTab = overlay.getByRole("link", { name: "Open in a new tab" });
  await expect.element(newTab).toHaveAttribute("href", "https://wiki.example/start");
  await expect.element(newTab).toHaveAttribute("target", "_blank");
  await expectAccessible();
  await overlay.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(overlay).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Open in a new tab" })).toBeVisible();
});

it("[ROUTE-43] [ROUTE-49] a disabled external page leads to the datasets, and the others open", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki, status], disabledLinks: ["external/wiki"] });
  gateway.answer(externalPages.page, { url: "https://status.example/", role: "*", allowSameOrigin: false, framing: "allowed" });
  await openScreen("/external/wiki");
  await expect.element(heading("Datasets")).toBeVisible();
  expect(location.pathname).toBe("/search");
  await openScreen("/external/status");
  await expect.element(heading("Status page")).toBeVisible();
});

it("a page that refuses frames says so, and one of the portal's own origin never keeps its origin", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki, status] });
  gateway.answer(
    externalPages.page,
    { url: "https://wiki.example/start", role: "*", allowSameOrigin: false, framing: "refused" },
    { times: 1 },
  );
  await openScreen("/external/wiki");
  await expect.element(page.getByText("wiki.example cannot be shown here")).toBeVisible();
  await expect.element(page.css("iframe[title='Team wiki']")).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Open in a new tab" }).first()).toBeVisible();
  gateway.answer(externalPages.page, { url: `${location.origin}/robots.txt`, role: "*", allowSameOrigin: true, framing: "allowed" });
  await openScreen("/external/status");
  await expect.element(page.css("iframe[title='Status page']")).toHaveAttribute("sandbox", "allow-scripts allow-forms allow-popups");
});

it("[EXTVIEW-04] without its role an external page does not exist", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [secret] });
  gateway.refuse(externalPages.page, "not-found", "There is no such page.");
  await openScreen("/external/secret");
  await expect.element(heading("Page does not exist")).toBeVisible();
  await expect.element(page.css("iframe")).not.toBeInTheDocument();
});

it("[SHELL-15][SHELL-16] a supplemental help file opens in the fullscreen preview, and the address stays", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, supplementalHelp: [{ name: "quick start.pdf", display: "Quick start" }] });
  gateway.answer(filesets.file, { filename: "quick start.pdf", size: 10, lastModified: "2026-11-12T09:14:02.000Z" });
  await openScreen("/FAQ");
  await panel("Docs").getByRole("button", { name: "Quick start", exact: true }).click();
  const preview = page.getByRole("dialog");
  await expect
    .element(preview.getByRole("link", { name: "Download", exact: true }))
    .toHaveAttribute("href", "/api/filesets/help/download?file=quick+start.pdf");
  const { width, height } = (await preview.findElement()).getBoundingClientRect();
  expect([width > innerWidth * 0.95, height > innerHeight * 0.95]).toEqual([true, true]);
  expect(location.pathname).toBe("/FAQ");
  await press("Escape");
  await expect.element(preview).not.toBeInTheDocument();
});
