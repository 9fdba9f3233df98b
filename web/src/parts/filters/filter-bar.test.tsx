import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { expectRows, openForm, searchButton, searchRequests, storms } from "#testing/datasets-screen.ts";
import { press, type } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";

beforeEach(() => {
  skipPauses(250);
});

const bar = () => page.getByRole("combobox", { name: "Type a filter", exact: true });
const options = () => page.getByRole("listbox").getByRole("option");

it("is typed with suggestions for columns, operators and values, and one Enter adds several filters to the form", async () => {
  const requests = searchRequests();
  await openForm(storms);
  await type("na", bar());
  await expect.element(options().first()).toHaveTextContent(/^nameString$/);
  await expect.element(options().first()).toHaveAttribute("aria-selected", "true");
  await press("Enter");
  await expect.element(bar()).toHaveValue("name ");
  await expectTexts(options(), [
    "=equal to",
    "<>not equal to",
    "<less than",
    "<=at most",
    ">more than",
    ">=at least",
    "is emptyrows without a value",
    "is not emptyrows with a value",
  ]);
  await press("ArrowDown");
  await press("Enter");
  await expect.element(bar()).toHaveValue("name = ");
  await type("kat");
  await expect.element(options().first()).toHaveTextContent(/^Katrina\d+ rows$/);
  await press("ArrowDown");
  await press("Enter");
  await expect.element(bar()).toHaveValue("name = Katrina");
  await expect.element(page.getByRole("listbox")).not.toBeInTheDocument();
  await type(" and wind ≥ 100 and time > 2005-08-28 and storm_id is not empty");
  await press("Enter");
  await expect.element(bar()).toHaveValue("");
  await expect.element(bar()).toHaveFocus();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  await expect.element(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("100");
  expect(requests.searches).toEqual([]);
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(requests.searches.map(({ body }) => body.filters)).toEqual([
    [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: 100, operator: ">=" },
      { name: "time", value: "2005-08-28T00:00:00.000Z", operator: ">" },
      { name: "storm_id", value: null, operator: "<>" },
    ],
  ]);
});
