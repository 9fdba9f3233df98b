import { alerts } from "@fairway/contract/alerts";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { openAlerts } from "#testing/opened-screens.ts";
import { type ScreenState, title, failing } from "#testing/screen-state.ts";

const none = { alerts: [], emailAddress: null };

export const states: readonly ScreenState[] = [
  { name: "alerts", open: openAlerts, shows: () => page.getByRole("button", { name: "Actions for Rain" }), phone: true },
  { name: "alerts-none", answers: () => gateway.answer(alerts.list, none), open: "/alerts", shows: title("Alerts") },
  {
    name: "alerts-loading",
    answers: () => {
      gateway.answer(alerts.list, none);
      gateway.hold(alerts.list);
    },
    open: "/alerts",
    shows: title("Alerts"),
  },
  failing("alerts-failed", "/alerts", alerts.list),
];
