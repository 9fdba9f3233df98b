import type { FlowRequest, MainIteration } from "@fairway/contract/flow-requests";
import { expect, it } from "vitest";
import type { FlowGroupRecipe } from "@fairway/contract/recipes";
import { flowsApp } from "#testing/flows-app.ts";

const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
const groupOf = (name: string) => ({ entity: { name, displayName: "", description: "" } });
const recipe: FlowGroupRecipe = {
  ...groupOf("storm-desk"),
  flows: [
    {
      name: "Tracks",
      requests: [
        {
          name: "First",
          minutesAgo: [500, 400, 300, 200],
          steps: [
            { kind: "iteration", by: "ada", content: '{\n  "batch": 1\n}' },
            { kind: "comment", by: "grace", text: "Too small.", line: '"batch"' },
            { kind: "submit", by: "ada" },
            { kind: "accept", by: "root" },
          ],
        },
      ],
    },
  ],
};

it("seeds the flows of an empty group once, dated back and without notifications", async () => {
  const { flows, ada, gateway } = await flowsApp();
  await flows.seed([recipe]);
  await flows.seed([recipe]);

  const [request, ...others] = (await ada.get<FlowRequest[]>("/flowGroups/storm-desk/requests")).body;
  expect(others).toEqual([]);
  expect(request).toMatchObject({ name: "First", status: 3, creatorUsername: "ada", comments: 1 });
  expect(request?.createdDateMs).toBeCloseTo(minutesAgo(500), -5);
  expect(request?.lastUpdatedMs).toBeCloseTo(minutesAgo(200), -5);
  const path = `/flowGroups/storm-desk/flows/${request?.flowId}`;
  const [comment] = await ada.comments(`${path}/requests/${request?.id}`);
  expect(comment).toMatchObject({ commenterUsername: "grace", anchor: { line: 2, text: '  "batch": 1' } });
  expect(comment?.createdDateMs).toBeCloseTo(minutesAgo(400), -5);
  const events = await ada.events(`${path}/requests/${request?.id}`);
  expect(events.map(({ kind }) => kind)).toEqual(["created", "submitted", "accepted"]);
  const [accepted] = (await ada.get<MainIteration[]>(`${path}/mainIterations`)).body;
  expect(accepted?.timeMs).toBeCloseTo(minutesAgo(200), -5);
  expect((await gateway.database.db.selectFrom("notifications").select("id").execute()).length).toBe(0);
});

it("seeds nothing into a group with flows, with unknown users, or that does not exist", async () => {
  const { flows, ada } = await flowsApp();
  await ada.createFlow("Own");
  const byStranger = {
    ...groupOf("harbor"),
    flows: [
      { name: "A", requests: [{ name: "R", minutesAgo: [1], steps: [{ kind: "iteration" as const, by: "stranger", content: "{}" }] }] },
    ],
  };
  await flows.seed([recipe, { ...recipe, ...groupOf("nowhere") }, byStranger]);
  expect((await ada.get<{ name: string }[]>("/flowGroups/storm-desk/flows")).body.map(({ name }) => name)).toEqual(["Own"]);
});
