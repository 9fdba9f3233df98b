import { ownDatasets } from "@fairway/contract/own-datasets";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { buildOwnData, serveImport } from "#testing/own-data.ts";

export const panel = () => page.getByRole("region", { name: "How it is read" });
export const create = () => page.getByRole("button", { name: "Create dataset" });
export const question = () => panel().getByRole("radiogroup", { name: "Is 01/02/2024 in February or January?" });

export function serve(overrides: Parameters<typeof serveImport>[1] = {}) {
  gateway.answer(ownDatasets.list, buildOwnData());
  return serveImport(gateway, overrides);
}
