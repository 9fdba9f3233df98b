import { subscriptions } from "@fairway/contract/subscriptions";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { openEmails } from "#testing/opened-screens.ts";
import { failing, type ScreenState, title } from "#testing/screen-state.ts";

const none = { subscriptions: [], emailAddress: null, sendsEmail: false, allowsRows: false };
const address = "/alerts/emails";

export const states: readonly ScreenState[] = [
  { name: "emails", open: openEmails, shows: () => page.getByRole("button", { name: "Actions for Season" }), phone: true },
  { name: "emails-none", answers: () => gateway.answer(subscriptions.list, none), open: address, shows: title("Emails") },
  {
    name: "emails-loading",
    answers: () => {
      gateway.answer(subscriptions.list, none);
      gateway.hold(subscriptions.list);
    },
    open: address,
    shows: title("Emails"),
  },
  failing("emails-failed", address, subscriptions.list),
];
