import { MantineProvider } from "@mantine/core";
import { type CSSProperties, type ReactNode, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import "#testing/css-locator.ts";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { theme } from "#ui/theme/theme.ts";
import { type RowFocus, type RowsColumn, type RowSelection, RowsTable } from "./rows-table.tsx";
import { stopProps, useCellStops } from "./use-cell-stops.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

interface City {
  name: string;
  people: number;
}

const cities: readonly City[] = Array.from({ length: 100 }, (_, index) => ({ name: `City ${index}`, people: 1_000 - index }));
const rowPx = 32;

const columns: readonly RowsColumn<City, "name" | "people">[] = [
  {
    id: "name",
    header: "Name",
    sortsBy: "name",
    tooltip: ({ name }) => `Of ${name}`,
    cell: ({ name }, tabIndex) => (
      <button type="button" tabIndex={tabIndex}>
        {name}
      </button>
    ),
  },
  { id: "people", header: "People", headerHint: "Counted", sortsBy: "people", cell: ({ people }) => people },
];

function show(shown: ReactNode): void {
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  onTestFinished(() => root.unmount());
  root.render(<MantineProvider theme={theme}>{shown}</MantineProvider>);
}

const rowHeight = (height: string) => ({ "--row-height": height }) as CSSProperties;

const highCell = ({ name }: City) => (
  <div role="cell" style={{ height: 90 }}>
    {name}
  </div>
);

type TableProps = Parameters<typeof RowsTable<City, "name" | "people">>[0];

/** Eleven rows high, with the header. */
function Cities({ focus, ...props }: Partial<Omit<TableProps, "focus">> & { focus?: Partial<RowFocus<City>> | null }) {
  const [active, setActive] = useState(0);
  const { rows = cities } = props;
  const virtual = useVirtualRows({ count: rows.length, rowPx, headPx: rowPx, overscan: 2, kept: active });
  return (
    <div style={{ display: "flex", flexDirection: "column", height: 11 * rowPx, ...rowHeight(`${rowPx}px`) }}>
      <RowsTable
        label="Cities"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        virtual={virtual}
        tracks={props.selection ? "40px 1fr 1fr" : "1fr 1fr"}
        {...(focus !== null && { focus: { active, onActive: setActive, ...focus } })}
        {...props}
      />
    </div>
  );
}

const grid = () => page.getByRole("grid", { name: "Cities" });
const row = (index: number) => page.css(`[data-index="${index}"]`);
const control = (index: number) => page.getByRole("button", { name: `City ${index}`, exact: true });

it("a grid has one tab stop, the active row, and keys that move to another", async () => {
  show(<Cities />);
  await expect.element(row(0)).toBeVisible();
  await userEvent.tab();
  await expect.element(page.getByRole("button", { name: "Name" })).toHaveFocus();
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(row(0)).toHaveFocus();
  const steps = [
    ["ArrowDown", 1],
    ["ArrowUp", 0],
    ["ArrowUp", 0],
    // Ten rows are in view.
    ["PageDown", 9],
    ["PageDown", 18],
    ["PageUp", 9],
    ["End", 99],
    ["ArrowDown", 99],
    ["Home", 0],
  ] as const;
  for (const [key, index] of steps) {
    await press(key);
    await expect.element(row(index)).toHaveFocus();
  }
  await expectCount(page.css("[data-index][tabindex='0']"), 1);
  expect(await axeViolations({ within: ["main"] })).toEqual([]);
});

it("the document holds the rows in view and the active one, and knows how many there are", async () => {
  show(<Cities />);
  await expect.element(grid()).toHaveAttribute("aria-rowcount", "101");
  await press("ArrowDown", row(0));
  await expect.element(row(1)).toHaveFocus();
  await expect.element(row(1)).toHaveAttribute("aria-rowindex", "3");
  const scroller = grid().element().parentElement;
  scroller?.scrollTo({ top: 60 * rowPx });
  await expect.element(control(62)).toBeVisible();
  await expect.element(row(1)).toHaveFocus();
  await expectCount(row(2), 0);
  await press("ArrowDown");
  await expect.element(row(2)).toHaveFocus();
  await expect.element(row(2)).toBeVisible();
});

it("a key that moves nothing is the feature's, on the row or on a control in it", async () => {
  const keys: (string | boolean)[][] = [];
  const onKey: RowFocus<City>["onKey"] = ({ key }, { name }, isOnRow) => keys.push([key, name, isOnRow]) > 0 && key !== "Tab";
  show(<Cities focus={{ onKey }} />);
  await press("Enter", row(0));
  await press("ArrowDown");
  await expect.element(row(1)).toHaveFocus();
  await userEvent.tab();
  await press("Shift+F10");
  expect(keys).toEqual([
    ["Enter", "City 0", true],
    ["Tab", "City 1", true],
    ["Shift", "City 1", false],
    ["F10", "City 1", false],
  ]);
});

it("keys of what a row shows elsewhere in the document move nothing", async () => {
  const elsewhere = document.body.appendChild(document.createElement("div"));
  onTestFinished(() => elsewhere.remove());
  const cell = ({ name }: City) => createPortal(<button type="button">{`Menu of ${name}`}</button>, elsewhere);
  show(<Cities columns={[{ id: "name", header: "Name", cell }]} />);
  const item = page.getByRole("button", { name: "Menu of City 0", exact: true });
  await press("ArrowDown", item);
  await expect.element(item).toHaveFocus();
});

it("boxes select rows, all of them or none", async () => {
  const toggle = vi.fn<RowSelection<City>["toggle"]>();
  const toggleAll = vi.fn<RowSelection<City>["toggleAll"]>();
  const boxes = { all: "All cities", of: ({ name }: City) => `Choose ${name}` };
  const rows = cities.slice(0, 2);
  show(<Cities rows={rows} selection={{ selected: new Set(["City 1"]), boxes, toggle, toggleAll, isClearedByEscape: true }} />);
  await expect.element(grid()).toHaveAttribute("aria-multiselectable", "true");
  await expect.element(row(0)).toHaveAttribute("aria-selected", "false");
  await expect.element(row(1)).toHaveAttribute("aria-selected", "true");
  await expect.element(row(1)).toHaveAttribute("data-mantine-stop-propagation", "true");
  await expect.element(page.getByRole("checkbox", { name: "Choose City 1" })).toBeChecked();
  await page.getByRole("checkbox", { name: "Choose City 0" }).click();
  await page.getByRole("checkbox", { name: "Choose City 1" }).click({ modifiers: ["Shift"] });
  expect(toggle.mock.calls).toEqual([
    [rows[0], false],
    [rows[1], true],
  ]);
  await page.getByRole("checkbox", { name: "All cities" }).click();
  expect(toggleAll).toHaveBeenCalledExactlyOnceWith(true);
});

it("a header sorts by its column, and turns the order around", async () => {
  const onSort = vi.fn<NonNullable<TableProps["onSort"]>>();
  show(<Cities sort={{ column: "name", descending: false }} onSort={onSort} />);
  await expect.element(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
  await expect.element(page.getByRole("columnheader", { name: "People" })).not.toHaveAttribute("aria-sort");
  await page.getByRole("button", { name: "Name" }).click();
  await page.getByRole("button", { name: "People" }).click();
  expect(onSort.mock.calls).toEqual([[{ column: "name", descending: true }], [{ column: "people", descending: false }]]);
});

it("a table has no row with the focus, opens rows by the pointer, and has what follows below them", async () => {
  const onOpen = vi.fn<(city: City) => void>();
  show(<Cities focus={null} rows={cities.slice(0, 3)} rowCount={-1} current="City 2" onOpen={onOpen} after={<p>3 of more</p>} />);
  const table = page.getByRole("table", { name: "Cities" });
  await expect.element(table).toHaveAttribute("aria-rowcount", "-1");
  await expectTexts(table.getByRole("cell"), ["City 0", "1000", "City 1", "999", "City 2", "998"]);
  await expect.element(table.getByRole("cell").first()).toHaveAttribute("title", "Of City 0");
  await expectCount(page.css("[role='row'][tabindex], [aria-selected]"), 0);
  await expectCount(page.css("[role='row'][aria-current='true']"), 1);
  await page.getByRole("cell", { name: "999" }).click();
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(cities[1]);
  getSelection()?.selectAllChildren(page.getByRole("cell", { name: "998" }).element());
  page
    .getByRole("cell", { name: "998" })
    .element()
    .dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(onOpen).toHaveBeenCalledOnce();
  await expect.element(page.getByText("3 of more")).toBeVisible();
});

it("rows that differ in height stand below each other, in a scroller of the screen", async () => {
  function Screen() {
    const scroller = useRef<HTMLDivElement>(null);
    const virtual = useVirtualRows({ count: 3, rowPx, overscan: 2, marginPx: 100, scroller });
    return (
      <div ref={scroller} style={{ height: 400, overflow: "auto", ...rowHeight("auto") }}>
        <p style={{ height: 100, margin: 0 }}>Above</p>
        <RowsTable
          label="Cities"
          columns={columns}
          rows={cities.slice(0, 3)}
          rowKey={({ name }) => name}
          virtual={virtual}
          renderCells={highCell}
          isMeasured
        />
      </div>
    );
  }
  show(<Screen />);
  await expectCount(page.getByRole("cell"), 3);
  const topOf = (index: number) => page.getByRole("cell").nth(index).element().getBoundingClientRect().top;
  await expect.poll(() => topOf(1) - topOf(0)).toBeGreaterThanOrEqual(90);
  await expect.poll(() => topOf(2) - topOf(1)).toBeGreaterThanOrEqual(90);
});

it("a grid of two controls a row has one tab stop, and what is typed goes to its search field", async () => {
  const onType = vi.fn<() => void>();
  const names = ["Hamburg", "Kiel", "Bremen"];
  function Stops() {
    const { stop, stopCell, setActive, onKeyDown } = useCellStops<"star" | "name">({
      count: names.length,
      keyOf: (index) => names[index],
      indexOf: (name) => (names.includes(name) ? names.indexOf(name) : undefined),
      selected: "Kiel",
      cells: ["star", "name"],
      hasLeft: (index) => index !== 2,
      onType,
    });
    return (
      <div role="grid" tabIndex={-1} aria-label="Cities" onKeyDown={onKeyDown}>
        {names.map((name, index) => (
          <div key={name} role="row" data-index={index}>
            {(["star", "name"] as const).map((cell) => (
              <span key={cell} role="gridcell">
                <button type="button" {...stopProps({ key: name, cell }, index === stop && cell === stopCell, setActive)}>
                  {`${cell} of ${name}`}
                </button>
              </span>
            ))}
          </div>
        ))}
      </div>
    );
  }
  show(<Stops />);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await expect.element(button("name of Kiel")).toBeVisible();
  await userEvent.tab();
  await expect.element(button("name of Kiel")).toHaveFocus();
  const steps = [
    ["ArrowLeft", "star of Kiel"],
    ["ArrowLeft", "star of Kiel"],
    ["ArrowUp", "star of Hamburg"],
    ["ArrowRight", "name of Hamburg"],
    ["ArrowLeft", "star of Hamburg"],
    // A row without the left control.
    ["End", "name of Bremen"],
    ["PageUp", "name of Hamburg"],
  ] as const;
  for (const [key, name] of steps) {
    await press(key);
    await expect.element(button(name)).toHaveFocus();
    await expectCount(page.css("[data-cell][tabindex='0']"), 1);
  }
  await press("Control+ArrowDown");
  await press("/");
  await expect.element(button("name of Hamburg")).toHaveFocus();
  expect(onType).not.toHaveBeenCalled();
  await press("b");
  expect(onType).toHaveBeenCalledOnce();
  // A key that moved nothing leaves no focus behind for later.
  await press("ArrowRight");
  await button("star of Kiel").click();
  await expect.element(button("star of Kiel")).toHaveFocus();
});
