import { filesets } from "@fairway/contract/filesets";
import { page } from "vitest/browser";
import { press, type } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { dialog, type ScreenState } from "#testing/screen-state.ts";

const openPalette = () => press("Control+k");

export const states: readonly ScreenState[] = [
  { name: "palette", open: "/FAQ", steps: [openPalette], shows: () => dialog("Search everything") },
  {
    name: "palette-found",
    open: "/FAQ",
    steps: [openPalette, () => type("storm")],
    shows: () => page.getByRole("option", { name: /^storm-tracks/ }),
  },
  { name: "palette-no-match", open: "/FAQ", steps: [openPalette, () => type("zzzz")], shows: () => dialog("Search everything") },
  { name: "unknown-address", open: "/no-such-screen", shows: () => page.getByRole("main") },
  {
    name: "menu-of-administrators",
    answers: () => gateway.answer(filesets.download, "[]"),
    open: "/FAQ",
    roles: ["admin"],
    shows: () => page.getByRole("navigation", { name: "Main" }),
  },
];
