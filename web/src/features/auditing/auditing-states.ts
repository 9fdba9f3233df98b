import { type AuditEvent, auditing } from "@fairway/contract/audit";
import { page } from "vitest/browser";
import { buildEvent, pageOfEvents } from "#testing/audit.ts";
import { gateway } from "#testing/open-screen.tsx";
import { failing, forAdministrators, type ScreenState, title } from "#testing/screen-state.ts";

const event = (index: number) => buildEvent(index, index === 0 ? { responseCode: 403, username: "ada" } : {});

function serve(events: readonly AuditEvent[]): void {
  gateway.answer(auditing.usernames, ["ada", "grace"]);
  gateway.answer(auditing.responseCodes, [200, 403]);
  gateway.answer(auditing.events, pageOfEvents(events));
}

const rows = () => page.getByRole("table", { name: "Audit events" }).getByRole("row").nth(1);

export const states: readonly ScreenState[] = forAdministrators([
  {
    name: "auditing",
    answers: () => serve(Array.from({ length: 9 }, (_, index) => event(index))),
    open: "/auditing",
    shows: rows,
    phone: true,
  },
  { name: "auditing-none", answers: () => serve([]), open: "/auditing", shows: title("Audit Logs") },
  failing("auditing-failed", "/auditing", auditing.events, () => serve([])),
]);
