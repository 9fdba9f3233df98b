import { editorDialogs, editorPages } from "#testing/editors.ts";
import { press } from "#testing/keyboard.ts";
import { sweptMenus } from "#testing/menus.ts";
import { sweptScreens } from "#testing/overlays.ts";
import type { ScreenState } from "#testing/screen-state.ts";
import { page } from "vitest/browser";

// Dialogs, menus, drawers and panels that open on screens, from the lists of the sweeps over them.

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

const nameOf = (file: string): string => slug(file.replaceAll(/^features\/|\.tsx$/g, ""));

const choose = (item: string | undefined) =>
  item === undefined ? [] : [() => press("Enter", page.getByRole("menuitem", { name: item, exact: true }))];

// Once the map is loaded, another button is named after the items, too: map-states.ts.
const others = sweptScreens.filter(({ name }) => name !== "the map on a phone");

const overlays = others.flatMap(({ name, screen, overlays: listed }) =>
  listed.map(({ file, opener, key = "Enter", item, overlay, loaded }): ScreenState => ({
    name: ["overlay", nameOf(file), slug(name), ...(item === undefined ? [] : [slug(item)])].join("-"),
    open: screen,
    steps: [() => press(key, opener()), ...choose(item)],
    shows: () => loaded?.(overlay()) ?? overlay(),
  })),
);

const menus = sweptMenus.map(({ file, screen, button, opener = button, key = "Enter" }): ScreenState => ({
  name: `menu-${nameOf(file)}`,
  open: screen,
  steps: [() => press(key, opener())],
  shows: button,
}));

const editors = editorDialogs.map(({ file, screen, opener, item, dialog, step, field }): ScreenState => ({
  name: `editor-${nameOf(file)}`,
  open: screen,
  steps: [() => press("Enter", opener()), ...choose(item), ...(step === undefined ? [] : [() => step(dialog())])],
  shows: () => field(dialog()),
}));

const pages = editorPages.map(({ file, screen, field }): ScreenState => ({ name: `form-${nameOf(file)}`, open: screen, shows: field }));

export const states: readonly ScreenState[] = [...overlays, ...menus, ...editors, ...pages];
