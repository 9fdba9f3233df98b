import { type AuditEvent, auditing } from "@fairway/contract/audit";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { failure, forAdministrators, type ScreenState, title } from "#testing/screen-state.ts";

const event = (index: number): AuditEvent => ({
  id: String(index),
  responseCode: index === 0 ? 403 : 200,
  method: "GET",
  path: "/api/favorite/datasets",
  username: index === 0 ? "ada" : "grace",
  requestTimeMs: 1_700_000_000_000 - index * 1_000,
  ipAddress: "127.0.0.1",
  client: { browser: "Unknown", operatingSystem: "Unknown", device: "Unknown" },
  details: { durationMs: 1, userId: "u-1", apiKey: null, route: "/favorite/datasets", userAgent: "" },
});

function serve(events: readonly AuditEvent[]): void {
  gateway.answer(auditing.usernames, ["ada", "grace"]);
  gateway.answer(auditing.responseCodes, [200, 403]);
  gateway.answer(auditing.events, {
    content: [...events],
    pageable: { pageNumber: 0, pageSize: 100 },
    last: true,
    totalElements: events.length,
    totalIsLowerBound: false,
  });
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
  {
    name: "auditing-failed",
    answers: () => {
      serve([]);
      gateway.refuse(auditing.events, "internal", "The disk is full.");
    },
    open: "/auditing",
    shows: failure,
  },
]);
