import { page } from "vitest/browser";
import { skipPauses } from "./pauses.ts";
import { alterRows } from "./results.ts";

export function prepareNextSteps(): void {
  alterRows((rows) => rows.slice(0, 2));
  // Before rows are counted.
  skipPauses(500);
}

export const button = (name: string) => page.getByRole("button", { name, exact: true });
