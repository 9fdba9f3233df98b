import { grids } from "@fairway/contract/grid";
import { mapResults } from "@fairway/contract/map-results";
import { page } from "vitest/browser";
import { cellList, listedCells, openRows, positions, prepareGrids } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { details, itemButton, itemFilter, itemList, mapLink, openMap, prepareMaps } from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { failure, type ScreenState } from "#testing/screen-state.ts";

const openList = () => page.getByRole("button", { name: /^\d+ items$/ });

export const states: readonly ScreenState[] = [
  { name: "map", answers: prepareMaps, open: () => openMap(), shows: itemList },
  {
    name: "map-on-a-phone",
    answers: async () => {
      await page.viewport(390, 844);
      prepareMaps();
    },
    open: () => openScreen(mapLink()),
    shows: openList,
  },
  {
    name: "map-list-on-a-phone",
    answers: async () => {
      await page.viewport(390, 844);
      prepareMaps();
    },
    open: () => openScreen(mapLink()),
    steps: [() => press("Enter", openList())],
    shows: () => page.getByRole("dialog", { name: "Items" }),
  },
  {
    name: "map-item",
    answers: prepareMaps,
    open: () => openMap(),
    steps: [() => press("Enter", itemButton("Bonnie"))],
    shows: () => details("Bonnie"),
  },
  {
    name: "map-no-match",
    answers: prepareMaps,
    open: () => openMap(),
    steps: [() => itemFilter().fill("nothing like it")],
    shows: itemFilter,
  },
  { name: "map-rows", answers: () => prepareGrids(), open: () => openRows(), shows: () => listedCells().first() },
  {
    name: "map-rows-cell",
    answers: () => prepareGrids(),
    open: () => openRows({ c: ["avg", "wind"], p: 32 }),
    steps: [() => press("Enter", cellList())],
    shows: () =>
      page
        .getByRole("region", { name: /^Cell / })
        .getByRole("listitem")
        .first(),
  },
  {
    name: "map-rows-dots",
    answers: () => prepareGrids(positions().slice(0, 12)),
    open: () => openRows(),
    shows: () => listedCells().first(),
  },
  {
    name: "map-rows-failed",
    answers: () => {
      prepareGrids();
      gateway.refuse(grids.run, "engine-busy", "Every engine slot is taken.");
    },
    open: () => openScreen(mapLink({ r: {} })),
    shows: failure,
  },
  {
    name: "map-rows-on-a-phone",
    answers: async () => {
      await page.viewport(390, 844);
      prepareGrids();
    },
    open: () => openScreen(mapLink({ r: {} })),
    shows: () => page.getByRole("group", { name: /^Colors/ }),
  },
  {
    name: "map-failed",
    answers: () => {
      prepareMaps();
      gateway.refuse(mapResults.last, "engine-busy", "Every engine slot is taken.");
    },
    open: () => openScreen(mapLink()),
    shows: failure,
  },
];
