import type { Column } from "@fairway/contract/columns";
import { search } from "@fairway/contract/search";
import { page, userEvent } from "vitest/browser";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { header } from "#testing/results.ts";

// Few columns: those far to the right are not in the page.
const isShown = ({ name }: Column) => ["name", "season", "wind"].includes(name);

export function serve(more: readonly Column[] = []): void {
  const served = demoDatasets().map(({ description, rows }) => ({
    description: {
      ...description,
      assists: [...description.assists, "BREAKDOWN" as const],
      schema: { columns: [...description.schema.columns.filter(isShown), ...more] },
    },
    rows,
  }));
  serveDatasets(gateway, served);
}

export const dialog = (name: string) => page.getByRole("dialog", { name });
export const sent = () => gateway.received(search.run).at(-1)?.body?.computed;

export async function choose(column: string, entry: string): Promise<void> {
  await userEvent.hover(header(column));
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}
