import { docs } from "@fairway/contract/docs";
import { externalPages } from "@fairway/contract/external-pages";
import { filesets } from "@fairway/contract/filesets";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { buildVideo, wiki } from "#testing/docs.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const faq = [
  { question: "How do I search?", answer: "Choose a **dataset** first." },
  { question: "What does “größer” mean?", answer: ["The first paragraph.", "The second paragraph.", "<b>The third</b>"] },
];
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const panel = (name: string) => page.getByRole("navigation", { name, exact: true });

beforeEach(() => serveDatasets(gateway));

describe("/FAQ", () => {
  openOnce(async () => {
    gateway.answer(filesets.download, JSON.stringify(faq));
    await openScreen("/FAQ");
  });

  const questions = page.getByRole("list", { name: "Questions" }).getByRole("listitem");

  it("[ROUTE-14][FAQ-01] is titled FAQs", async () => {
    await expect.element(heading("FAQs")).toBeVisible();
  });

  it("[SHELL-14] is an entry of Docs", async () => {
    await expect.element(panel("Docs").getByRole("link", { name: "FAQ" })).toHaveAttribute("aria-current", "page");
  });

  it("[FAQ-07] shows what faq.json of the help holds", async () => {
    await expectTexts(questions, ["How do I search?", "What does “größer” mean?"]);
    expect(gateway.received(filesets.download)[0]).toMatchObject({ params: { id: "help" }, query: { file: "faq.json" } });
  });

  it("[FAQ-03][FAQ-05] shows an answer of one paragraph while its question is unfolded", async () => {
    const first = page.getByRole("button", { name: "How do I search?" });
    await expect.element(first).toHaveAttribute("aria-expanded", "false");
    await first.click();
    await expect.element(page.getByText("Choose a dataset first.")).toBeVisible();
    await expectCount(page.getByRole("listitem").first().css("p"), 1);
    await first.click();
    await expect.element(page.getByText("Choose a dataset first.")).not.toBeInTheDocument();
  });

  it("[FAQ-06][FAQ-08] shows each paragraph of an answer as text", async () => {
    const second = page.getByRole("button", { name: "What does “größer” mean?" });
    await second.click();
    await expectTexts(page.getByRole("listitem").nth(1).css("p"), ["The first paragraph.", "The second paragraph.", "<b>The third</b>"]);
    await expectAccessible();
    await second.click();
  });

  it("[FAQ-02] has a filter that narrows the questions", async () => {
    const filter = page.getByPlaceholder("filter questions", { exact: true });
    await filter.fill("SECOND größer");
    await expectTexts(questions, ["What does “größer” mean?"]);
    await filter.fill("");
    await expectCount(questions, 2);
  });

  it("[FAQ-04] says that nothing matches", async () => {
    await page.getByPlaceholder("filter questions", { exact: true }).fill("nothing like it");
    await expect.element(page.getByText("no matching questions found", { exact: true })).toBeVisible();
  });
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

const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";

describe("/tutorials", () => {
  openOnce(async () => {
    gateway.answer(docs.list, [
      buildVideo("first", "First steps", { hasPreview: true, hasCaptions: true }),
      buildVideo("second", "Second steps"),
      buildVideo("manual", "A manual", { category: "application/pdf" }),
    ]);
    gateway.answer(docs.url, ({ params: { docId, type } }) => ({ url: type === "preview" ? pixel : `/video-of-${docId}` }));
    await openScreen("/tutorials");
  });

  const cards = page.getByRole("list", { name: "Tutorial videos" }).getByRole("button");
  const player = page.getByRole("dialog", { name: "First steps" });
  const close = async () => {
    await player.getByRole("button", { name: "Close" }).click();
    await expect.element(player).not.toBeInTheDocument();
  };

  it("[ROUTE-15][SHELL-12] is an entry of Docs where there are videos", async () => {
    await expect.element(heading("Tutorial Videos")).toBeVisible();
    await expect.element(panel("Docs").getByRole("link", { name: "Tutorial Videos" })).toHaveAttribute("aria-current", "page");
  });

  it("[TUTORIAL-01][TUTORIAL-02] has a card for each video, and for nothing else", async () => {
    await expectTexts(cards, [/First steps.*About First steps/s, /Second steps/]);
    await expectAccessible();
  });

  it("[TUTORIAL-07] has the preview in the card", async () => {
    await expect.element(cards.nth(0).css("img")).toHaveAttribute("src", pixel);
  });

  it("[TUTORIAL-03] opens a player that fills the window and can be closed", async () => {
    await cards.nth(0).click();
    const { width, height } = (await player.findElement()).getBoundingClientRect();
    expect([width, height]).toEqual([innerWidth, innerHeight]);
    expect(location.search).toBe("?video=first");
    await close();
    expect(location.search).toBe("");
  });

  it("[TUTORIAL-06] plays the content with its captions", async () => {
    await cards.nth(0).click();
    await expect.element(player.css("video")).toHaveAttribute("src", "/video-of-first");
    await expect.element(player.css("track")).toHaveAttribute("src", "/api/docs/first/captions");
    await close();
  });
});

it("a video that fails is requested again at a new address once, and then offers a retry", async () => {
  let addresses = 0;
  gateway.answer(docs.list, [buildVideo("first", "First steps")]);
  gateway.answer(docs.url, () => ({ url: `/expired-${(addresses += 1)}` }));
  await openScreen("/tutorials?video=first");
  const player = page.getByRole("dialog", { name: "First steps" });
  await expect.element(player.getByText("Error loading video.")).toBeVisible();
  expect(addresses).toBe(2);
});

it("[SHELL-13] [TUTORIAL-04] without a video the menu has no Tutorial Videos, and the screen says so", async () => {
  gateway.answer(docs.list, [buildVideo("manual", "A manual", { category: "application/pdf" })]);
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

const status = { name: "status", displayName: "Status page", role: "*", navBar: "docs" as const };
const secret = { name: "secret", displayName: "Secret page", role: "admin", navBar: "docs" as const };

describe("external pages", () => {
  openOnce(async () => {
    gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki, status, secret] });
    gateway.answer(externalPages.page, { url: "https://wiki.example/start", role: "*", allowSameOrigin: true, framing: "unknown" });
    await openScreen("/FAQ");
  });

  it("[SHELL-17] of Docs are entries there", async () => {
    await expect.element(panel("Docs").getByRole("link", { name: "Status page" })).toHaveAttribute("href", "/external/status");
  });

  it("[SHELL-19] are hidden from users without their role", async () => {
    await expect.element(panel("Docs").getByRole("link", { name: "Status page" })).toBeVisible();
    await expect.element(panel("Docs").getByRole("link", { name: "Secret page" })).not.toBeInTheDocument();
  });

  it("[SHELL-11][SHELL-18] of the search are entries there, with their name and icon", async () => {
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.element(panel("Search").getByRole("link", { name: "Team wiki" }).css("svg[data-icon=book]")).toBeVisible();
  });
});

describe("an external page", () => {
  openOnce(async () => {
    gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki, status, secret] });
    gateway.answer(externalPages.page, { url: "https://wiki.example/start", role: "*", allowSameOrigin: true, framing: "unknown" });
    await openScreen("/FAQ");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await panel("Search").getByRole("link", { name: "Team wiki" }).click();
  });

  const overlay = page.getByRole("region", { name: "About this page" });

  it("[ROUTE-43][EXTVIEW-05] has an address of its own, to which its entry leads", async () => {
    await expect.element(heading("Team wiki")).toBeVisible();
    await expect.element(panel("Search").getByRole("link", { name: "Team wiki" })).toHaveAttribute("aria-current", "page");
    expect(location.pathname).toBe("/external/wiki");
  });

  it("[ROUTE-44][EXTVIEW-01] shows the configured URL in a frame", async () => {
    const frame = page.css("iframe[title='Team wiki']");
    await expect.element(frame).toHaveAttribute("src", "https://wiki.example/start");
    await expect.element(frame).toHaveAttribute("sandbox", "allow-scripts allow-forms allow-popups allow-same-origin");
  });

  it("[EXTVIEW-02] offers a new tab in an overlay", async () => {
    const newTab = overlay.getByRole("link", { name: "Open in a new tab" });
    await expect.element(newTab).toHaveAttribute("href", "https://wiki.example/start");
    await expect.element(newTab).toHaveAttribute("target", "_blank");
    await expectAccessible();
  });

  it("[EXTVIEW-03] has an overlay that can be dismissed", async () => {
    await overlay.getByRole("button", { name: "Dismiss" }).click();
    await expect.element(overlay).not.toBeInTheDocument();
    await expect.element(page.getByRole("link", { name: "Open in a new tab" })).toBeVisible();
  });
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
