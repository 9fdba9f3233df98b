import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { page } from "vitest/browser";
import { serveAccess } from "#testing/access-dialogs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, forAdministrators, type ScreenState, text } from "#testing/screen-state.ts";

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      note: "You see the rows of your own region.",
      grants: [
        {
          roles: ["north"],
          rows: {
            filters: [
              { name: "region", operator: "in", value: ["north", "far north", null] },
              { name: "salary", operator: "between", value: [1_000, 4_000] },
            ],
            timeRange: { start: "2024-01-01T00:00:00.000Z", end: "2024-12-31T23:59:59.000Z" },
            geospatial: { polygons: ["-97 25, -80 25, -80 32"], antimeridianPolygons: false },
          },
        },
        { roles: ["audit"], rows: "all" },
      ],
    },
    { name: "Team", grants: [{ roles: ["*"], rows: { filters: [{ name: "region", operator: "=", valueFrom: "groups" }] } }] },
  ],
  columns: [
    { names: ["salary"], roles: ["hr"], others: "withheld" },
    { names: ["lat", "lon"], roles: ["audit", "hr"], others: { step: 0.5 } },
  ],
};

const serve = (rules: DatasetAccess | null) => () => serveAccess(rules);
const opened = (tab: string) => `/internal-dataset-settings?access=visits&tab=${tab}`;
const state = (tab: string, shows: ScreenState["shows"], rules: DatasetAccess | null = access): ScreenState => ({
  name: `access-${tab}${rules === null ? "-none" : ""}`,
  answers: serve(rules),
  open: opened(tab),
  shows,
  phone: true,
});

export const states: readonly ScreenState[] = forAdministrators([
  state("readers", text("Everyone who is signed in")),
  state("rows", text("12,340 rows that nobody sees")),
  state("rows", text("Everyone with access sees all rows."), null),
  state("columns", () => page.getByRole("combobox", { name: "Others get of lat", exact: true })),
  {
    ...state("preview", () => page.getByRole("region", { name: "Sample" })),
    steps: [() => page.getByText("Roles and groups").click()],
  },
  {
    name: "access-rows-problems",
    answers: serve(null),
    open: opened("rows"),
    steps: [() => button("Add rule").click(), () => button("Save").click()],
    shows: text("Some fields need a change before this can be saved."),
    phone: true,
  },
  {
    name: "access-rows-not-counted",
    answers: () => {
      serve(access)();
      gateway.refuse(datasetAccessAdministration.check, "internal", "The disk is full.");
    },
    open: opened("rows"),
    shows: text("The rows could not be counted."),
    phone: true,
  },
  {
    name: "access-preview-failed",
    answers: () => {
      serve(access)();
      gateway.refuse(datasetAccessAdministration.preview, "internal", "The disk is full.");
    },
    open: opened("preview"),
    steps: [() => page.getByText("Roles and groups").click()],
    shows: text("What this reader sees could not be loaded."),
  },
]);
