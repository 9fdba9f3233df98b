import { auditing } from "@fairway/contract/audit";
import { page } from "vitest/browser";
import { buildEvent, pageOfEvents } from "./audit.ts";
import { gateway } from "./open-screen.tsx";

export const table = () => page.getByRole("table", { name: "Audit events" });

export const rows = () =>
  table()
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

export const administrator = { roles: ["admin"] };

export const pageSize = 6;

const log = [buildEvent(0, { responseCode: 403, username: "ada" }), ...Array.from({ length: 8 }, (_, index) => buildEvent(index + 1))];

export function serveAudit(): void {
  gateway.answer(auditing.usernames, ["ada", "grace"]);
  gateway.answer(auditing.responseCodes, [200, 403]);
  localStorage.removeItem("fairway.audit.background");
  gateway.answer(auditing.events, ({ query: { username, responseCode, pageNumber } }) => {
    const matches = log.filter(
      (entry) =>
        (username === undefined || entry.username === username) && (responseCode === undefined || entry.responseCode === responseCode),
    );
    return pageOfEvents(matches, pageNumber, pageSize);
  });
}
