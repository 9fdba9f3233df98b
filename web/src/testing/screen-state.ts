import type { RouteShape } from "@fairway/contract/route";
import { type Locator, page } from "vitest/browser";
import { gateway } from "./open-screen.tsx";

/** One state of a screen. The nets (`npm run nets`) look at each: pictures, accessibility tree, calls to the gateway. */
export interface ScreenState {
  /** Unique, in kebab case. Names the folder of its nets, so comparing with an older commit needs it to stay. */
  readonly name: string;
  /** Prepares what the gateway answers, beyond the demo datasets and what every screen needs. */
  readonly answers?: () => unknown;
  /** Address of the app, or a function that opens it. */
  readonly open: string | (() => unknown);
  /** The user's roles, if `open` is an address. */
  readonly roles?: readonly string[];
  /** From there to the state. The calls of each are logged apart. */
  readonly steps?: readonly (() => unknown)[];
  /** Visible once the state is reached; the part of the screen that comes last. */
  readonly shows: () => Locator;
  /** Also looked at in a window of 390 pixels. */
  readonly phone?: true;
}

/** The same states for a user who administers the portal. */
export const forAdministrators = (states: readonly ScreenState[]): ScreenState[] => states.map((one) => ({ roles: ["admin"], ...one }));

export const title = (name: string) => (): Locator => page.getByRole("heading", { level: 1, name, exact: true });
export const text = (shown: string | RegExp) => (): Locator => page.getByText(shown).first();
export const failure = (): Locator => page.getByRole("alert").first();
export const button = (name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });
export const dialog = (name: string | RegExp): Locator => page.getByRole("dialog", { name, exact: true });

/** A screen one of whose calls fails. `answers` are those of the others. */
export const failing = (name: string, open: ScreenState["open"], route: RouteShape, answers?: () => unknown): ScreenState => ({
  name,
  answers: () => {
    answers?.();
    gateway.refuse(route, "internal", "The disk is full.");
  },
  open,
  shows: failure,
});

/** A screen one of whose calls is not answered yet. */
export const loading = (
  name: string,
  open: ScreenState["open"],
  route: RouteShape,
  shows: () => Locator,
  answers?: () => unknown,
): ScreenState => ({
  name,
  answers: () => {
    answers?.();
    gateway.hold(route);
  },
  open,
  shows,
});
