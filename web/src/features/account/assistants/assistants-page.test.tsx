import { assistantAdministration, assistants } from "@fairway/contract/assistants";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openAdmin } from "#testing/entities.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const tools = [{ name: "search_rows", title: "Search rows", description: "Rows of a dataset." }];

it("shows how to connect an assistant and what it can do, and whether assistants are allowed", async () => {
  gateway.answer(assistants.about, { enabled: false, tools });
  await openScreen("/assistants");
  await expect.element(page.getByRole("heading", { level: 1, name: "Assistants" })).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("An administrator has turned off assistants for this portal.");
  await expect.element(page.getByRole("region", { name: "Server configuration" })).toHaveTextContent(`"url": "${location.origin}/api/mcp"`);
  await expect
    .element(page.getByRole("region", { name: "What assistants can do" }))
    .toHaveTextContent("Search rows search_rowsRows of a dataset.");
  await expect.element(page.getByRole("link", { name: "Create an API key" })).toHaveAttribute("href", "/keys");
  await expect.element(page.getByRole("region", { name: "Administration" })).not.toBeInTheDocument();
  await expectAccessible();
});

it("shows an error when it cannot be loaded, and loads again", async () => {
  gateway.answer(assistants.about, { enabled: true, tools });
  gateway.refuse(assistants.about, "internal", "The gateway is starting.", { times: 1 });
  await openScreen("/assistants");
  await expect.element(page.getByRole("alert")).toHaveTextContent("The gateway is starting.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("Rows of a dataset.")).toBeVisible();
});

it("shows administrators the use by each key, and keeps the switch where it was if it cannot be saved", async () => {
  gateway.answer(assistants.about, { enabled: true, tools });
  const use = {
    apiKeyId: "1",
    apiKeyName: "Research",
    owner: "ada",
    tools: [{ name: "search_rows", calls: 1_200, refused: 3 }],
    lastDay: "2026-11-26",
  };
  gateway.answer(assistantAdministration.uses, { enabled: true, uses: [use] });
  gateway.answer(assistantAdministration.allow, undefined);
  gateway.refuse(assistantAdministration.allow, "internal", "The disk is full.", { times: 1 });
  await openAdmin("/assistants", "Assistants");
  const row = page.getByRole("region", { name: "Assistant usage" }).getByRole("row").nth(1);
  await expect.element(row).toHaveTextContent("adaResearch1,2003search_rows 1,20011/26/2026");
  const allow = page.getByRole("switch", { name: "Allow assistants to use this portal" });
  await expect.element(allow).toBeChecked();
  await allow.click();
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
  await expect.element(allow).toBeChecked();
  await allow.click();
  await expect
    .poll(() => gateway.received(assistantAdministration.allow).map(({ body }) => body))
    .toEqual([{ enabled: false }, { enabled: false }]);
  await expectAccessible();
});
