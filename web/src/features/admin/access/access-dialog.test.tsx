import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openAccess } from "#testing/access-dialogs.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { chooseInRow, dialog, saveButton } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

const regionRule: DatasetAccess = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
};

const tab = (name: string | RegExp) => dialog().getByRole("tab", { name });

it("says who may know of the dataset, opened from its row", async () => {
  const { stored } = await openAccess();
  await chooseInRow("visits", "Access");
  await expect.element(page.getByRole("dialog", { name: "Access to visits" })).toBeVisible();
  await expect.element(dialog().getByText("Everyone who is signed in")).toBeVisible();
  await dialog().getByRole("combobox", { name: "Roles" }).click();
  await page.getByRole("option", { name: "north", exact: true }).click();
  await expect.element(dialog().getByText("Only people with this role")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored[0]).toMatchObject({ roles: ["north"], access: null });
});

it("starts at the open tab, from which keys lead to the others", async () => {
  await openAccess({ tab: "rows" });
  await expect.element(tab("Rows")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab("Columns")).toHaveFocus();
  await expect.element(dialog().getByRole("row", { name: /^salary/ })).toBeVisible();
  await userEvent.keyboard("{Home}");
  await expect.element(tab("Readers")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(tab("See it as")).toHaveFocus();
});

it("shows columns as cards on a phone, without scrolling sideways", async () => {
  await page.viewport(390, 844);
  await openAccess({ access: { columns: [{ names: ["salary"], roles: ["hr"], others: "withheld" }] }, tab: "columns" });
  await expect.element(dialog().getByRole("row", { name: /^salary/ })).toHaveTextContent("4321 → withheld");
  const region = dialog().getByRole("region", { name: "Columns and who sees them" }).element();
  expect(region.scrollWidth).toBe(region.clientWidth);
  await expect.element(dialog().getByRole("combobox", { name: "Others get of salary" })).toBeVisible();
});

it("shows rules as sentences with their rows, and saves a changed value", async () => {
  const { stored } = await openAccess({ access: regionRule, tab: "rows" });
  await expect.element(dialog().getByText("Holders of north see rows where region is north.")).toBeVisible();
  await expect.element(dialog().getByText("Holders of audit see all rows.")).toBeVisible();
  await expect.element(dialog().getByText("12,340 rows that nobody sees")).toBeVisible();
  await expect.element(dialog().getByText("1,200 rows", { exact: true })).toBeVisible();
  await expect.element(dialog().getByText("rows not counted")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialog().getByRole("textbox", { name: "Value of region" }).fill("north sea");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored[0]?.["access"]).toEqual({
    rules: [
      {
        name: "Region",
        grants: [
          { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north sea" }] } },
          { roles: ["audit"], rows: "all" },
        ],
      },
    ],
  });
});

it("names what is missing at its field before anything is sent, and leads there", async () => {
  const { stored } = await openAccess({ tab: "rows" });
  await expect.element(dialog().getByText("Everyone with access sees all rows.")).toBeVisible();
  await dialog().getByRole("button", { name: "Add rule" }).click();
  await dialog().getByRole("combobox", { name: "Rows they see" }).selectOptions("see rows where");
  await tab("Columns").click();
  await saveButton().click();
  await expect.element(tab(/^Rows.*has problems/)).toHaveAttribute("aria-selected", "true");
  await expect.element(dialog().getByRole("textbox", { name: "Name" })).toHaveFocus();
  await expect.element(dialog().getByText("Add a value.")).toBeVisible();
  expect(stored[0]).toMatchObject({ access: null, version: 1 });
});

it("shows a refusal of the gateway at its field", async () => {
  const { routes } = await openAccess({ access: regionRule, tab: "rows" });
  gateway.answer(routes.edit, () => {
    throw new Refused("invalid-value", "'access.rules.0.note': is not for readers", "access.rules.0.note");
  });
  await dialog().getByRole("textbox", { name: "Note" }).fill("You see your region.");
  await saveButton().click();
  await expect.element(dialog().getByRole("textbox", { name: "Note" })).toHaveAttribute("aria-invalid", "true");
  await expect.element(dialog().getByText("Is not for readers.", { exact: true })).toBeVisible();
});

it("moves cards by keyboard and asks before one is deleted", async () => {
  const second = {
    name: "Team",
    grants: [{ roles: ["*"], rows: { filters: [{ name: "region", operator: "=" as const, valueFrom: "groups" as const }] } }],
  };
  await openAccess({ access: { rules: [...(regionRule.rules ?? []), second] }, tab: "rows" });
  await expect.element(dialog().getByText("All readers see rows where region is one of the reader's groups.")).toBeVisible();
  const card = (name: string) => dialog().getByRole("region", { name });
  const focus = (name: string) => (card(name).element() as HTMLElement).focus();
  focus("Rule Region");
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(card("Rule Team")).toHaveFocus();
  await userEvent.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await expect.element(dialog().getByRole("region", { name: /^Rule/ }).first()).toHaveAccessibleName("Rule Team");
  await userEvent.keyboard("{Delete}");
  await page.getByRole("dialog", { name: "Delete Team?" }).getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(card("Rule Team")).not.toBeInTheDocument();
  await expect.element(card("Rule Region")).toBeVisible();
});

it("limits columns, with an example of what others get", async () => {
  const { stored } = await openAccess({ tab: "columns" });
  await dialog().getByRole("button", { name: "Limit lat" }).click();
  await dialog().getByRole("combobox", { name: "Roles that see lat as stored" }).click();
  await page.getByRole("option", { name: "hr", exact: true }).click();
  await userEvent.keyboard("{Escape}");
  const form = dialog().getByRole("combobox", { name: "Others get of lat" });
  await expect.element(form).not.toHaveTextContent("Start of the hour");
  await form.selectOptions("Steps of");
  await dialog().getByRole("textbox", { name: "Step of lat" }).fill("0,5");
  await saveButton().click();
  await expect.element(dialog().getByText("Add a number above 0.")).toBeVisible();
  await dialog().getByRole("textbox", { name: "Step of lat" }).fill("0.5");
  await expect.element(dialog().getByRole("row", { name: /^lat/ })).toHaveTextContent("53.42 → 53.25");
  await expectAccessible({ within: ["[role=dialog]"] });
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored[0]?.["access"]).toEqual({ columns: [{ names: ["lat"], roles: ["hr"], others: { step: 0.5 } }] });
});

it("shows the dataset as a holder of roles sees it", async () => {
  await openAccess({ access: regionRule, tab: "preview" });
  await dialog().getByText("Roles and groups").click();
  const seen = dialog().getByRole("group", { name: "What this reader sees" });
  await expect.element(seen).toHaveTextContent("1,200 rows, a part of them");
  await expect.element(seen).toHaveTextContent("Withheld columnssalary");
  await expect.element(seen).toHaveTextContent("Missingmap");
  await expect.element(dialog().getByText("Files of this dataset's filesets are not covered.")).toBeVisible();
  await expect.element(dialog().getByRole("region", { name: "Sample" })).not.toHaveTextContent("4321");
  await expectAccessible({ within: ["[role=dialog]"] });
});

it("shows both versions if somebody else changed the rules, and goes on with the chosen one", async () => {
  const { stored } = await openAccess({ access: regionRule, tab: "rows" });
  await dialog().getByRole("textbox", { name: "Name" }).fill("Mine");
  const [before] = stored;
  if (!before) throw new Error("no dataset");
  stored[0] = { ...before, access: { rules: [{ name: "Theirs", grants: [{ roles: ["*"], rows: "all" }] }] }, version: 2 };
  await saveButton().click();
  await expect.element(dialog().getByText("Changed by someone else")).toBeVisible();
  await dialog().getByRole("button", { name: "Keep mine and continue" }).click();
  await expect.element(dialog().getByRole("textbox", { name: "Name" })).toHaveValue("Mine");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored[0]).toMatchObject({ access: { rules: [{ name: "Mine" }] }, version: 3 });
});

it("asks before changes are lost", async () => {
  await openAccess({ access: regionRule, tab: "rows" });
  await dialog().getByRole("textbox", { name: "Name" }).fill("Area");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
});
