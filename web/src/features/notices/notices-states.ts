import { type Notice, notices } from "@fairway/contract/notices";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { dialog, type ScreenState, title, failing } from "#testing/screen-state.ts";

const notice = (name: string, more: Partial<Notice> = {}): Notice => ({
  id: `id of ${name}`,
  title: name,
  message: "The portal is **down** on Sunday. See the [status](https://status.example/).",
  faIcon: "bullhorn",
  severity: "info",
  createdDateMs: 1_700_000_000_000,
  ...more,
});

const some = [notice("Maintenance", { faIcon: "triangle-exclamation", severity: "warning" }), notice("New storms")];

export const states: readonly ScreenState[] = [
  {
    name: "notices",
    answers: () => gateway.answer(notices.list, some),
    open: "/notices",
    shows: () => page.getByRole("region", { name: "Chosen notice" }),
    phone: true,
  },
  { name: "notices-none", answers: () => gateway.answer(notices.list, []), open: "/notices", shows: title("Notices") },
  failing("notices-failed", "/notices", notices.list),
  {
    name: "notices-new",
    answers: () => gateway.answer(notices.fresh, some),
    open: "/search",
    shows: () => dialog(/^Information Notices?$/),
    phone: true,
  },
];
