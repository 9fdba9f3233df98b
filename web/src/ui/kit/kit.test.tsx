import { MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { theme } from "#ui/theme/theme.ts";
import { DataTable, type DataTableProps, type TableColumn } from "./data-table.tsx";
import { ListScreen } from "./list-screen.tsx";
import { QueryState, type QueryStateProps, together } from "./query-state.tsx";

interface City {
  name: string;
  people: number;
  note?: string;
}

const cities: readonly City[] = [
  { name: "Hamburg", people: 1_900_000 },
  { name: "Kiel", people: 250_000, note: "At the sea" },
];

const columns: readonly TableColumn<City>[] = [
  { id: "name", header: "Name", isRowHeader: true, sorted: "ascending", cell: ({ name }) => name, foot: "Total" },
  {
    id: "people",
    header: "People",
    align: "end",
    phoneLabel: "People",
    tooltip: ({ name }) => `Of ${name}`,
    cell: ({ people }) => people,
    foot: 2_150_000,
  },
];

function show(shown: ReactNode): void {
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  onTestFinished(() => root.unmount());
  root.render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queryClient}>{shown}</QueryClientProvider>
    </MantineProvider>,
  );
}

const showTable = (props: Partial<DataTableProps<City>> = {}) =>
  show(<DataTable columns={columns} rows={cities} rowKey={({ name }) => name} label="Cities" {...props} />);

let read: () => Promise<readonly City[]>;

function Cities(props: Partial<QueryStateProps<readonly City[]>>) {
  const query = useQuery({ queryKey: ["kit", "cities"], queryFn: () => read(), retry: false });
  return (
    <>
      <QueryState query={query} loading={{ label: "Loading cities", rows: 3 }} failed="No cities" {...props}>
        {(found) => <p>{`${found.length} cities`}</p>}
      </QueryState>
      <button type="button" onClick={() => void query.refetch()}>
        Read again
      </button>
    </>
  );
}

const away = () => Promise.reject(new Error("The line is dead."));

beforeEach(() => {
  queryClient.removeQueries({ queryKey: ["kit"] });
  read = () => Promise.resolve(cities);
});

it("a query that loads reserves the space of its rows, and shows what it has then", async () => {
  let answer: (found: readonly City[]) => void = () => undefined;
  read = () => new Promise((resolve) => (answer = resolve));
  show(<Cities />);
  const status = page.getByRole("status", { name: "Loading cities" });
  await expect.element(status).toBeVisible();
  const { height } = status.element().getBoundingClientRect();
  await expect.poll(() => status.element().querySelectorAll(".mantine-Skeleton-root").length).toBe(3);
  expect(status.element().getBoundingClientRect().height).toBe(height);
  answer(cities);
  await expect.element(page.getByText("2 cities")).toBeVisible();
  await expect.element(status).not.toBeInTheDocument();
});

it("a query that failed says why, loads while it is retried, and offers no retry where none can succeed", async () => {
  read = away;
  show(<Cities />);
  const alert = page.getByRole("alert");
  await expectText(alert, /^No cities.*Retry$/);
  let answer: (found: readonly City[]) => void = () => undefined;
  read = () => new Promise((resolve) => (answer = resolve));
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("status", { name: "Loading cities" })).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  answer(cities);
  await expect.element(page.getByText("2 cities")).toBeVisible();
});

it("a query that cannot succeed later has no retry", async () => {
  read = away;
  show(<Cities canRetry={() => false} />);
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expectCount(page.getByRole("button", { name: "Retry" }), 0);
});

it("a screen has a shape of its own while it loads, and its own reasons and next step where that failed", async () => {
  const asked: { fail?: (error: Error) => void } = {};
  read = () => new Promise((_, reject) => (asked.fail = reject));
  show(
    <Cities
      loading={{ shown: <p>Three columns</p> }}
      reasons={["There is no such country."]}
      otherwise={<a href="#all">All countries</a>}
    />,
  );
  await expect.element(page.getByText("Three columns")).toBeVisible();
  await expectCount(page.getByRole("status"), 0);
  // The screen is shown before its query is sent.
  await expect.poll(() => asked.fail).toBeDefined();
  asked.fail?.(new Error("The line is dead."));
  await expectText(page.getByRole("alert"), /^No cities.*There is no such country\.RetryAll countries$/);
});

it("queries that belong together have data once all have, fail with the first that has none, and only those without are retried", () => {
  const retried: string[] = [];
  const query = (name: string, data?: string, error: Error | null = null) => ({ data, error, refetch: () => retried.push(name) });
  expect(together(query("a", "A"), query("b", "B"))).toMatchObject({ data: true, error: null });
  expect(together(query("a", "A"), query("b"))).toMatchObject({ data: undefined, error: null });
  const dead = new Error("The line is dead.");
  const failed = together(query("a", "A", new Error("Old news")), query("b"), query("c", undefined, dead));
  expect(failed).toMatchObject({ data: undefined, error: dead });
  failed.refetch();
  expect(retried).toEqual(["b", "c"]);
});

it("loaded data stay when they cannot be loaded again", async () => {
  show(<Cities />);
  await expect.element(page.getByText("2 cities")).toBeVisible();
  const failed = vi.fn<() => Promise<never>>(away);
  read = failed;
  await page.getByRole("button", { name: "Read again" }).click();
  await expect.poll(() => queryClient.getQueryState(["kit", "cities"])?.status).toBe("error");
  expect(failed).toHaveBeenCalled();
  await expect.element(page.getByText("2 cities")).toBeVisible();
  await expectCount(page.getByRole("alert"), 0);
});

it("an empty list says what to do, and a filter that leaves nothing is cleared", async () => {
  read = () => Promise.resolve([]);
  const found = vi.fn<() => void>();
  const clear = vi.fn<() => void>();
  show(
    <Cities
      empty={{
        title: "No cities yet",
        text: "Found one.",
        action: (
          <button type="button" onClick={found}>
            Found
          </button>
        ),
      }}
      noMatch={{ text: "No city matches.", clear: { label: "Clear filter", run: clear } }}
    />,
  );
  await expect.element(page.getByText("Found one.")).toBeVisible();
  await page.getByRole("button", { name: "Found" }).click();
  expect(found).toHaveBeenCalledOnce();
  await expectCount(page.getByRole("button", { name: "Clear filter" }), 0);
  read = () => Promise.resolve(cities);
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByRole("button", { name: "Clear filter" }).click();
  expect(clear).toHaveBeenCalledOnce();
  await expectCount(page.getByText("2 cities"), 0);
});

it("a table has the names that it is given, its columns in their order, and totals below them", async () => {
  showTable({ scroll: { role: "region", label: "All cities" } });
  const table = page.getByRole("region", { name: "All cities" }).getByRole("table", { name: "Cities" });
  await expectTexts(table.getByRole("columnheader"), ["Name", "People"]);
  await expect.element(table.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
  await expectTexts(table.getByRole("rowheader"), ["Hamburg", "Kiel", "Total"]);
  await expectTexts(table.getByRole("cell"), ["1900000", "250000", "2150000"]);
  await expect.element(table.getByRole("cell").first()).toHaveAttribute("title", "Of Hamburg");
  expect(await axeViolations({ within: ["main"] })).toEqual([]);
});

it("a table in a region is one tab stop, and has no name or totals that it is not given", async () => {
  showTable({
    columns: [{ id: "name", header: "Name", cell: ({ name }) => name }],
    label: undefined,
    scroll: { role: "group", label: "Cities" },
  });
  const group = page.getByRole("group", { name: "Cities" });
  await expect.element(group).toBeVisible();
  await userEvent.tab();
  await expect.element(group).toHaveFocus();
  await expect.element(page.getByRole("table")).not.toHaveAttribute("aria-label");
  await expectCount(page.getByRole("row"), 3);
});

it("buttons of a row are named by what they are given, with text or an icon", async () => {
  const pressed: string[] = [];
  showTable({
    rowActions: {
      header: "Actions",
      of: ({ name }) => [
        { label: `Leave ${name}`, text: "Leave", run: () => pressed.push(`leave ${name}`) },
        {
          label: `Edit ${name}`,
          icon: <svg width={16} height={16} aria-hidden />,
          opensDialog: true,
          run: () => pressed.push(`edit ${name}`),
        },
      ],
    },
  });
  await expectTexts(page.getByRole("columnheader"), ["Name", "People", "Actions"]);
  await page.getByRole("button", { name: "Leave Kiel", exact: true }).click();
  await page.getByRole("button", { name: "Edit Hamburg", exact: true }).click();
  expect(pressed).toEqual(["leave Kiel", "edit Hamburg"]);
  await expect.element(page.getByRole("button", { name: "Edit Kiel" })).toHaveAttribute("aria-haspopup", "dialog");
  await expect.element(page.getByRole("button", { name: "Leave Kiel" })).not.toHaveAttribute("aria-haspopup");
});

it("a note stands below its row, as wide as the table, and rows have marks", async () => {
  showTable({
    noteOf: ({ note }) => note ?? null,
    marks: ({ note }) => ({ "data-known": note !== undefined || undefined }),
    rowActions: { header: "Actions", of: () => [] },
  });
  const cell = page.getByRole("cell", { name: "At the sea" });
  await expect.element(cell).toHaveAttribute("colspan", "3");
  const rows = page.getByRole("row").elements();
  expect(rows.map((row) => [row.hasAttribute("data-has-note"), row.hasAttribute("data-known")])).toEqual([
    [false, false],
    [false, false],
    [true, true],
    [false, false],
    [false, false],
  ]);
});

it("on a phone, rows are cards whose values have labels, and the header stays for assistive technology", async () => {
  await page.viewport(390, 844);
  showTable({ hasCardsOnPhone: true });
  const cell = page.getByRole("cell", { name: "250000" });
  await expect.element(cell).toBeVisible();
  expect(getComputedStyle(cell.element(), "::before").content).toContain("People");
  const [name, people] = [page.getByRole("rowheader", { name: "Kiel" }), cell].map((one) => one.element().getBoundingClientRect());
  expect(people?.left).toBe(name?.left);
  await expectCount(page.getByRole("columnheader"), 2);
});

it("a list screen has its title, actions, what stands between, and a note where the list is cut", async () => {
  const filtered = vi.fn<() => void>();
  function Screen() {
    const query = useQuery({ queryKey: ["kit", "screen"], queryFn: () => Promise.resolve({ found: cities, total: 5 }) });
    return (
      <ListScreen
        title="Cities"
        subtitle="Of the north"
        actions={
          <button type="button" onClick={filtered}>
            Filter
          </button>
        }
        query={query}
        loading={{ label: "Loading cities" }}
        failed="No cities"
        empty={{ text: "None yet." }}
        rowsOf={({ found }) => found}
        table={{ columns, rowKey: ({ name }) => name, scroll: { role: "region", label: "Cities" } }}
        cutNote={({ found, total }) => (total > found.length ? `${total - found.length} more cities.` : undefined)}
      >
        <p>Between</p>
      </ListScreen>
    );
  }
  show(<Screen />);
  await expect.element(page.getByRole("heading", { level: 1, name: "Cities" })).toBeVisible();
  await page.getByRole("button", { name: "Filter" }).click();
  expect(filtered).toHaveBeenCalledOnce();
  await expectText(page.getByRole("region", { name: "Cities" }), /3 more cities\.$/);
  await expect.element(page.getByText("Between")).toBeVisible();
  await expect.element(page.getByText("Of the north")).toBeVisible();
});
