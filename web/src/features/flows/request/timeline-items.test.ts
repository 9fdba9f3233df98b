import type { FlowComment, FlowEvent } from "@fairway/contract/flow-requests";
import { expect, it } from "vitest";
import { eventText, timelineItems } from "./timeline-items.ts";

const event = (id: number, kind: FlowEvent["kind"], timeMs = id, subject = ""): FlowEvent => ({
  id,
  kind,
  username: "grace",
  timeMs,
  iterationId: null,
  subject,
});

const comment = (id: number, createdDateMs: number): FlowComment => ({
  id,
  commenterUsername: "ada",
  createdDateMs,
  text: "Good.",
  editedDateMs: null,
  isDeleted: false,
  isOwn: false,
  mentions: [],
  anchor: null,
});

it("comments and events are in one timeline by time, an event before its reason", () => {
  const items = timelineItems([comment(1, 2), comment(2, 4)], [event(1, "created", 1), event(2, "rejected", 4), event(3, "iteration", 3)]);
  expect(items.map(({ key }) => key)).toEqual(["event 1", "comment 1", "event 3", "event 2", "comment 2"]);
});

it.each([
  [event(1, "created"), "Request created by grace"],
  [event(1, "iteration"), "Iteration 4 added by grace"],
  [event(1, "submitted"), "Submitted for review by grace"],
  [event(1, "rejected"), "Rejected by grace, back to In Progress"],
  [event(1, "accepted"), "Iteration 4 accepted by grace"],
  [event(1, "abandoned"), "Abandoned by grace"],
  [event(1, "reviewer", 1, "grace"), "Review taken by grace"],
  [event(1, "reviewer", 1, "ada"), "Review given to ada by grace"],
  [event(1, "reviewer"), "Review returned by grace"],
  [event(1, "deployed", 1, "Production"), "Iteration 4 deployed to Production by grace"],
])("%o is a sentence", (one, text) => {
  expect(eventText(one, 4)).toBe(text);
});
