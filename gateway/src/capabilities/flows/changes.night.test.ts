import type { FlowIteration, MainIteration } from "@fairway/contract/flow-requests";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { flowsApp, flowTables, newFlow, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose }), flowTables);
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe("concurrent changes", () => {
  it("of acceptances and abandonments at once, one succeeds, on every gateway", async () => {
    const { ada, root } = shared();
    const peer = await flowsApp({ peer: shared().gateway });
    const flow = await newFlow(ada);
    for (let round = 0; round < 5; round += 1) {
      const { path, id } = await newRequest(ada, "{}", flow);
      const answers = await Promise.all([
        root.decide(id, "accept"),
        peer.root.decide(id, "accept"),
        ada.change(path, "abandon"),
        peer.ada.change(path, "abandon"),
      ]);
      expect(statuses(answers)).toEqual([200, 409, 409, 409]);
      const { status } = (await ada.get(path)).body;
      expect(answers.find((answer) => answer.status === 200)?.body.status).toBe(status);
      const accepted = (await ada.get<MainIteration[]>(`${flow}/mainIterations`)).body.filter(({ requestId }) => requestId === id);
      expect(accepted).toHaveLength(status === 3 ? 1 : 0);
      expect((await ada.events(path)).map(({ kind }) => kind)).toEqual(["created", status === 3 ? "accepted" : "abandoned"]);
    }
  });

  it("the last iteration is accepted, also if it is added at the same time", async () => {
    const { ada, root } = shared();
    const flow = await newFlow(ada);
    for (let round = 0; round < 8; round += 1) {
      const { path, id } = await newRequest(ada, "one", flow);
      const { lastIterationId } = (await ada.get(path)).body;
      const [added, accepted] = await Promise.all([
        ada.iterate(path, "two"),
        root.decide(id, "accept", { expectedIterationId: lastIterationId }),
      ]);
      // Either the reviewer's iteration is accepted and the other one refused, or the other way round.
      expect(statuses([added, accepted])).toEqual(added.status === 201 ? [201, 409] : [200, 409]);
      const { body: iterations } = await ada.get<FlowIteration[]>(`${path}/iterations`);
      expect(iterations).toHaveLength(added.status === 201 ? 2 : 1);
      const main = (await ada.get<MainIteration[]>(`${flow}/mainIterations`)).body.filter(({ requestId }) => requestId === id);
      expect(main.map(({ iteration }) => iteration.content)).toEqual(added.status === 201 ? [] : ["one"]);
    }
  });

  it("iterations added at once by several gateways get numbers without gaps, and comments are counted", async () => {
    const { ada, grace } = shared();
    const peer = await flowsApp({ peer: shared().gateway });
    const { path } = await newRequest(ada);
    const clients = [ada, grace, peer.ada, peer.grace];
    await Promise.all([...clients, ...clients].flatMap((client) => [client.iterate(path), client.comment(path, "Hi.")]));
    const { body } = await ada.get<FlowIteration[]>(`${path}/iterations`);
    expect(body.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await peer.ada.get(path)).body).toMatchObject({ iterations: 9, comments: 8, lastIterationId: body.at(-1)?.id });
  });

  it("another gateway knows a group before it has heard that it was created", async () => {
    const { gateway } = shared();
    const { root } = await flowsApp({ peer: gateway });
    expect((await root.createFlow("Tides", "night-desk")).status).toBe(404);
    await gateway.database.db
      .insertInto("entities")
      .columns(["type", "id", "enabled", "body"])
      .expression((eb) =>
        eb
          .selectFrom("entities")
          .select(["type", sql<string>`'night-desk'`.as("id"), "enabled", sql<object>`body || '{"name": "night-desk"}'`.as("body")])
          .where("type", "=", storedTypes.flowGroups.name)
          .where("id", "=", "storm-desk"),
      )
      .execute();
    expect((await root.createFlow("Tides", "night-desk")).status).toBe(201);
  });

  it("another gateway learns of a disabled group", async () => {
    const { ada, entities } = shared();
    const peer = await flowsApp({ peer: shared().gateway });
    const { path } = await newRequest(ada);
    expect((await peer.ada.get(path)).status).toBe(200);
    await entities.setEnabled(storedTypes.flowGroups, "storm-desk", false);
    await vi.waitFor(async () => expect((await peer.ada.get(path)).status).toBe(404));
    await entities.setEnabled(storedTypes.flowGroups, "storm-desk", true);
    await vi.waitFor(async () => expect((await peer.ada.get(path)).status).toBe(200));
  });
});
