import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openForm, storms } from "#testing/datasets-screen.ts";
import { buildAccess, serveWithRules } from "#testing/reader-parts.ts";

it("the sign of a coarse column moves neither the name of its field nor the field", async () => {
  await page.viewport(1440, 900);
  serveWithRules("storm-tracks", buildAccess({ columns: "some", coarse: [{ name: "name", form: { first: 1 } }] }));
  await openForm(storms);
  await expect
    .element(page.getByRole("main").getByRole("button", { name: "Coarse values", exact: true }).first())
    .toHaveAccessibleDescription("First character only. Filters compare these values, not the exact ones.");
  const topOf = (name: string) => page.getByRole("textbox", { name, exact: true }).element().getBoundingClientRect().top;
  expect(topOf("Storm name")).toBe(topOf("Storm id"));
  const title = page.getByText("Storm name", { exact: true }).element().getBoundingClientRect();
  const operator = page.getByRole("combobox", { name: "Operator of Storm name" }).element().getBoundingClientRect();
  expect(title.left).toBe(operator.left);
});
