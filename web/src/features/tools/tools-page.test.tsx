import { type Tool, tools } from "@fairway/contract/tools";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { pythonClient } from "#testing/tools.ts";
import { apiDescription } from "./queries.ts";

const cli: Tool = {
  ...pythonClient,
  display: "Command line",
  name: "commandline",
  version: "2",
  description: "Search from a shell.",
  files: [],
};
const guide = `# Python Client

## Install

\`\`\`sh
pip install ./fairway.whl
\`\`\`

## Search

\`\`\`python
Fairway("{{origin}}").search("{{dataset}}")
\`\`\`

### Limits

| call | limit |
| - | - |
| search | 10,000 |
`;

const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const panel = page.getByRole("navigation", { name: "Tools", exact: true });

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(settings.ui, {
    ...uiConfig,
    downloadableTools: [{ display: "Python Client", icon: { type: "fa-solid", name: "book" } }, { display: "Command line" }],
  });
  gateway.answer(tools.list, [cli, pythonClient]);
  gateway.answer(tools.guide, ({ params: { name } }) => (name === "pythonclient" ? guide : "Nothing to install."));
});

describe("a tool", () => {
  openOnce(async () => {
    await openScreen("/FAQ");
    await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Tools", exact: true }).click();
    await panel.getByRole("link", { name: "Python Client" }).click();
  });

  const entry = panel.getByRole("link", { name: "Python Client" });
  const file = page.getByRole("region", { name: "Downloads" }).getByRole("listitem");

  it("[SHELL-21] has its place among the entries by its name", async () => {
    await expectTexts(panel.getByRole("link"), ["Command line", "Python Client"]);
  });

  it("[SHELL-22] has the configured icon in the menu, or that of code", async () => {
    await expect.element(panel.getByRole("link", { name: "Command line" }).css("svg.tabler-icon-code")).toBeVisible();
    await expect.element(entry.css("svg[data-icon=book]")).toBeVisible();
  });

  it("[ROUTE-39][SHELL-20] is opened by its entry on /tools", async () => {
    await expect.element(heading("Python Client")).toBeVisible();
    expect(location.pathname).toBe("/tools");
    await expect.element(entry).toHaveAttribute("aria-current", "page");
  });

  it("[TOOLS-02] is named in the address, in lower case and without spaces", async () => {
    await expect.element(heading("Python Client")).toBeVisible();
    expect(location.search).toBe("?name=pythonclient");
  });

  it("[TOOLS-01][TOOLS-06] is shown with its downloads and the text of its guide", async () => {
    await expectTexts(page.getByRole("main").getByRole("heading", { level: 2 }), ["Downloads", "Install", "Search", /^API calls for/]);
    await expect.element(page.getByText("Version 1.2.0")).toBeVisible();
    await expect.element(page.getByText("Search into pandas.")).toBeVisible();
    await expectTexts(file, [/fairway-1\.2\.0-py3-none-any\.whl.*24\.5 KB.*For Python 3\.9 and later.*0123456789abcdef/s]);
    await expect.element(page.getByRole("link", { name: "Create an API key" })).toHaveAttribute("href", "/keys");
    await expectAccessible();
  });

  it("[TOOLS-07] is downloaded from the gateway", async () => {
    const download = file.getByRole("link", { name: "Download fairway-1.2.0-py3-none-any.whl" });
    await expect.element(download).toHaveAttribute("href", "/api/tools/pythonclient/files/fairway-1.2.0-py3-none-any.whl");
  });
});

it("[TOOLS-03] [TOOLS-05] without a name the first tool is shown, with the operator's description", async () => {
  const operators = [
    { display: "Command line", description: "Ask the data desk first." },
    { display: "command line", description: "Another tool." },
  ];
  gateway.answer(settings.portal, { ...defaultPortalSettings, tools: operators });
  await openScreen("/tools");
  await expect.element(heading("Command line")).toBeVisible();
  await expect.element(panel.getByRole("link", { name: "Command line" })).toHaveAttribute("aria-current", "page");
  await expect.element(page.getByText("Ask the data desk first.")).toBeVisible();
  await expect.element(page.getByText("Search from a shell.")).not.toBeInTheDocument();
  await expect.element(page.getByText("Nothing to install.")).toBeVisible();
});

it("examples name this portal and the last searched dataset until another is chosen, and are copied", async () => {
  const copied: string[] = [];
  await openScreen("/search?category=Tropical+weather&dataset=storm-tracks");
  await page.getByRole("form").getByRole("button", { name: "Sample", exact: true }).click();
  await expect.element(page.getByRole("grid").getByRole("gridcell").first()).toBeVisible();
  await press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill("python cl");
  await page.getByRole("option", { name: /Python Client/ }).click();
  await expect.element(heading("Python Client")).toBeVisible();
  const example = page.getByRole("group", { name: "example" }).nth(1);
  await expect.element(example).toHaveTextContent(`Fairway("${location.origin}").search("Tropical weather/storm-tracks")`);
  const choice = page.getByRole("combobox", { name: "Dataset in the examples" });
  await expect.element(choice).toHaveValue("storm-tracks");
  await choice.fill("earth");
  await page.getByRole("option", { name: "earthquakes" }).click();
  await expect.element(example).toHaveTextContent(/\.search\("[^"]+\/earthquakes"\)/);
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
  await page.getByRole("button", { name: "Copy example" }).first().click();
  await page.getByRole("button", { name: "Copy SHA-256 of fairway-1.2.0-py3-none-any.whl" }).click();
  await expect.poll(() => copied).toEqual(["pip install ./fairway.whl", pythonClient.files[0]?.sha256]);
});

it("says when there is no such tool, or none at all, and retries what fails", async () => {
  await openScreen("/tools?name=fortran");
  await expect.element(page.getByText("There is no tool named ‘fortran’")).toBeVisible();
  await page.getByRole("link", { name: "Open Command line" }).click();
  await expect.element(heading("Command line")).toBeVisible();

  gateway.refuse(tools.list, "internal", "It broke.");
  await openScreen("/tools");
  const failed = page.getByRole("alert");
  await expect.element(failed.getByText("Error loading tools.")).toBeVisible();
  gateway.answer(tools.list, [pythonClient]);
  gateway.refuse(tools.guide, "internal", "It broke.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("alert").getByText("Error loading guide.")).toBeVisible();
  gateway.answer(tools.guide, guide);
  await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("heading", { level: 2, name: "Install" })).toBeVisible();

  gateway.answer(tools.list, []);
  await openScreen("/tools");
  await expect.element(page.getByText("This portal has no tools yet.")).toBeVisible();
});

it("[TOOLS-06] on a phone, the calls that API keys may make are read from the OpenAPI document", async () => {
  await page.viewport(390, 844);
  const get = (summary: string, ...security: object[]) => ({ get: { summary, security, operationId: "x" } });
  gateway.answer(
    apiDescription,
    JSON.stringify({
      paths: { "/datasets": get("Lists datasets.", { bearer: [] }, { apiKey: [] }), "/profile": get("The profile.", { bearer: [] }) },
    }),
  );
  await openScreen("/tools?name=Python+Client");
  const disclosure = page.getByRole("button", { name: "API calls for API keys" });
  await disclosure.click();
  await expect.element(disclosure).toHaveAttribute("aria-expanded", "true");
  await expectTexts(page.getByRole("list", { name: "Calls for API keys" }).getByRole("listitem"), [/^GET \/datasets\s*Lists datasets\.$/]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});
