import { assistantAdministration, assistants } from "@fairway/contract/assistants";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openAdmin } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { tools } from "#testing/assistants.ts";

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
