import { catalog } from "@fairway/contract/catalog";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, editor, dataset, kept, suggestion, approve, serveSuggestions, button, community, layer } from "#testing/suggestions.ts";

beforeEach(serveSuggestions);

it("with schema-edit, the footer leads to suggestions by keyboard, also in a filtered list; approving and declining move on to the next", async () => {
  kept.open = [
    suggestion("3", "last", "The <b>last</b>."),
    suggestion("1", null, "Count storms, not rows."),
    suggestion("2", "wind", "Reported in steps of 5 kt, so averages mislead.", { replaces: "In knots." }),
  ];
  await openScreen(address, editor);
  await expectCount(button("Suggest a description"), 0);
  const footer = button("3 suggestions to review");
  await page.getByRole("textbox", { name: "Filter columns" }).fill("column_17");
  await footer.click();
  await expect.element(layer().getByRole("listitem")).toHaveFocus();
  await footer.click();
  await expect.element(community("wind").getByRole("listitem")).toHaveFocus();
  await expect.element(community("wind").getByText("The description has changed since this was suggested.")).toBeVisible();
  await expectTexts(community("wind").getByRole("insertion"), [", so averages mislead"]);
  await footer.click();
  await expect.element(community("last").getByRole("listitem")).toHaveFocus();
  await expect.element(community("last").getByText("The <b>last</b>.")).toBeVisible();
  await expectAccessible();
  await footer.click();

  await layer().getByRole("button", { name: "Approve" }).click();
  await expect.element(layer()).toHaveTextContent("Count storms, not rows.");
  await expectCount(layer().getByRole("listitem"), 0);
  await expect.element(community("wind").getByRole("listitem")).toHaveFocus();

  // Someone else saves meanwhile: nothing is overwritten, and the difference is shown anew.
  approve("wind", "In knots.");
  await community("wind").getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "The suggestion could not be approved" })).toBeVisible();
  await expect.element(community("wind").getByRole("listitem")).toBeVisible();
  await expectTexts(community("wind").getByRole("deletion"), ["In knots"]);
  await community("wind").getByRole("button", { name: "Decline" }).click();
  const decline = page.getByRole("dialog", { name: "Decline this suggestion?" });
  await decline.getByRole("textbox", { name: "Reason (optional)" }).fill(" Knots are enough. ");
  await press("Enter");
  await expectCount(decline, 0);
  await expect.element(button("1 suggestion to review")).toBeVisible();
  expect(gateway.received(descriptionSuggestions.decide).map(({ body }) => body)).toMatchObject([
    { decision: "approve", description: "Count storms, not rows.", replaces: "Count storms." },
    { decision: "approve", replaces: "Reported in steps of 5 kt." },
    { decision: "decline", replaces: "In knots.", reason: "Knots are enough." },
  ]);
});

it("the catalog lists the datasets with suggestions to review; a failure to load them breaks neither screen", async () => {
  gateway.answer(catalog.entries, []);
  gateway.answer(descriptionSuggestions.counts, [{ dataset, suggestions: 3, newestMs: 1 }]);
  gateway.refuse(descriptionSuggestions.counts, "internal", "Broken.", { times: 1 });
  gateway.refuse(descriptionSuggestions.list, "internal", "Broken.", { times: 1 });
  await page.viewport(390, 844);
  await openScreen("/data-catalog", editor);
  await button("Suggestions could not be loaded. Retry").click();
  await button("3 suggestions to review").click();
  await page.getByRole("menuitem", { name: /storm-tracks/ }).click();
  await expectAddress(address);
  await expect.element(layer()).toHaveTextContent("Count storms.");
  kept.open = [suggestion("1", "last", "In knots.")];
  await button("Suggestions could not be loaded. Retry").click();
  await button("1 suggestion to review").click();
  await expect.element(community("last").getByRole("listitem")).toHaveFocus();
});
