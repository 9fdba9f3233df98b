import { MantineProvider } from "@mantine/core";
import type { Column, ColumnType } from "@fairway/contract/columns";
import type { ComputedColumn } from "@fairway/contract/derived-columns";
import type { ResultRow } from "@fairway/contract/search";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { ConfirmHost } from "#ui/dialog/confirm-host.tsx";
import { theme } from "#ui/theme/theme.ts";
import { AddColumnDialog } from "./add-column-dialog.tsx";

const column = (name: string, type: ColumnType, more: Partial<Column> = {}): Column => ({
  name,
  type,
  description: "",
  combined: null,
  ...more,
});
const columns = [
  column("date", "TIMESTAMP_MILLS"),
  column("delay", "integer", { unit: "min" }),
  column("origin", "STRING"),
  column("Airport Name", "STRING"),
  column("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
];
const delays = [-13, 14, 16, 86, 105, 3, null, -1];
const rows: readonly ResultRow[] = Array.from({ length: 1_000 }, (_, index) => ({
  date: Date.UTC(2001, 4, 31, 17, 59),
  delay: delays[index % delays.length] ?? null,
  origin: "ATL",
  "Airport Name": "Atlanta",
}));

/** Shows a button that opens the dialog; answers what is saved. */
function show(initial?: ComputedColumn) {
  const saved = vi.fn<(column: ComputedColumn) => void>();
  function Example() {
    const [opened, setOpened] = useState(false);
    return (
      <MantineProvider theme={theme}>
        <button type="button" onClick={() => setOpened(true)}>
          Open
        </button>
        <AddColumnDialog
          opened={opened}
          onClose={() => setOpened(false)}
          columns={columns}
          takenNames={columns.map((one) => one.name)}
          rows={rows}
          {...(initial ? { initial } : {})}
          onSave={(column) => {
            saved(column);
            setOpened(false);
          }}
        />
        <ConfirmHost />
      </MantineProvider>
    );
  }
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  onTestFinished(() => root.unmount());
  root.render(<Example />);
  return saved;
}

const open = page.getByRole("button", { name: "Open" });
const dialog = page.getByRole("dialog", { name: "Add column" });
const name = dialog.getByRole("textbox", { name: "Name" });
const formula = dialog.getByRole("textbox", { name: "Formula" });
const unit = dialog.getByRole("textbox", { name: "Unit" });
const add = dialog.getByRole("button", { name: "Add column" });
const suggestions = dialog.getByRole("listbox");
const preview = dialog.getByRole("region", { name: "Preview" });

async function openDialog(initial?: ComputedColumn) {
  const saved = show(initial);
  await open.click();
  await expect.element(formula).toBeVisible();
  return saved;
}

/** Types into the formula as a person does, with suggestions on the way. */
async function type(text: string): Promise<void> {
  await formula.click();
  await userEvent.keyboard(text.replaceAll("[", "[[").replaceAll("{", "{{"));
}

it("adds a column by a formula, and shows its type and its values beside those it is made of", async () => {
  const saved = await openDialog();
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard("punctual");
  await expect.element(add).toBeDisabled();
  await formula.fill("if(delay > 15, 'late', 'on time')");
  await expect.element(dialog.getByText("Text. No row of the first 1,000 is without a value.")).toBeVisible();
  await expect.element(preview.getByRole("columnheader").nth(0)).toHaveTextContent("delay");
  await expect.element(preview.getByRole("columnheader").nth(1)).toHaveTextContent("punctual");
  expect(
    preview
      .getByRole("row")
      .elements()
      .map((row) => row.textContent),
  ).toEqual(["delaypunctual", "-13on time", "14on time", "16late", "86late", "105late"]);
  expect(await axeViolations()).toEqual([]);
  await add.click();
  expect(saved).toHaveBeenCalledExactlyOnceWith({ name: "punctual", expression: "if(delay > 15, 'late', 'on time')" });
  await expect.element(open).toHaveFocus();
});

it("counts the rows without a value, and shows one", async () => {
  await openDialog({ name: "hours", expression: "delay / 60", unit: "h" });
  await expect.element(dialog.getByText("Decimal. 125 of 1,000 rows have no value.")).toBeVisible();
  await expect.element(preview.getByText("no value").nth(0)).toBeVisible();
  await expect.element(unit).toHaveValue("h");
});

it("says what is wrong, and where, but nothing at the cursor while a person types", async () => {
  await openDialog();
  await type("dealy ");
  await type("> 15");
  await expect.element(dialog.getByText("There is no column 'dealy'. Did you mean 'delay'?")).toBeVisible();
  await expect.element(formula).toHaveAttribute("aria-invalid", "true");
  expect(formula.element().querySelector("[class*=wrong]")?.textContent).toBe("dealy");
  expect(await axeViolations()).toEqual([]);
  await formula.fill("delay +");
  await expect.element(formula).toHaveAttribute("aria-invalid", "false");
  await expect.element(dialog.getByText("Something is missing after '+'.")).toBeVisible();
  expect(formula.element().querySelector("[class*=wrong]")?.textContent).toBe("+");
  await expect.element(add).toBeDisabled();
});

it("completes columns with their type and a value, and functions with their values and an example", async () => {
  await openDialog();
  await type("del");
  await expect.element(suggestions.getByRole("option").nth(0)).toHaveTextContent("delaynumber, min · -13");
  await userEvent.keyboard("{Enter}");
  await expect.element(formula).toHaveTextContent("delay");
  await userEvent.keyboard(" + roun");
  await expect.element(suggestions.getByRole("option").nth(0)).toHaveTextContent("round(x, digits?)");
  await expect.element(dialog.getByText("round(-2.5) = -3")).toBeVisible();
  await userEvent.keyboard("{Enter}7");
  await expect.element(formula).toHaveTextContent("delay + round(7)");
});

it("completes a name with spaces in quotes, and the units and zones that a function takes", async () => {
  await openDialog();
  await type("airp");
  await expect.element(suggestions.getByRole("option").nth(0)).toHaveTextContent("Airport Name");
  await userEvent.keyboard("{Enter}");
  await expect.element(formula).toHaveTextContent('"Airport Name"');
  await formula.fill("start_of(date, ");
  await userEvent.keyboard("'mo");
  await expect.element(suggestions.getByRole("option").nth(0)).toHaveTextContent("month");
  await userEvent.keyboard("{Enter}");
  await expect.element(formula).toHaveTextContent("start_of(date, 'month'");
});

it("Escape closes the suggestions before the dialog, and Tab leaves the field", async () => {
  await openDialog();
  await type("del");
  await expect.element(suggestions).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(suggestions).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard("{Tab}");
  await expect.element(formula).not.toHaveFocus();
  await userEvent.tab({ shift: true });
  await expect.element(formula).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

it("refuses the name of another column in any case", async () => {
  await openDialog({ name: "Delay", expression: "1" });
  await name.fill("ORIGIN");
  await expect.element(dialog.getByText("There is another column 'ORIGIN'.")).toBeVisible();
  await expect.element(add).toBeDisabled();
});

it("Ctrl+Enter in the formula saves", async () => {
  const saved = await openDialog({ name: "twice", expression: "delay * 2" });
  await formula.click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(saved).toHaveBeenCalledExactlyOnceWith({ name: "twice", expression: "delay * 2" });
});
