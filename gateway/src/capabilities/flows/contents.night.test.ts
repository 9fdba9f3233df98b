import type { FlowIteration, MainIteration } from "@fairway/contract/flow-requests";
import { expect, it } from "vitest";
import { flowsApp, flowTables, newRequest, newFlow } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { flowOf } from "./test-content.ts";
import { flowContentBytes } from "@fairway/contract/flows";

const shared = sharedApp((onClose) => flowsApp({ onClose, limits: { userDailyFlowBytes: 60_000_000 } }), flowTables);

it("contents of a response hold 20,000,000 bytes together; older ones are null and are read one by one", async () => {
  const { ada, root } = shared();
  const large = flowOf(4_999_999);
  const { path, flow, id } = await newRequest(ada, large);
  await ada.iterate(path, "tiny");
  for (let round = 0; round < 4; round += 1) await ada.iterate(path, large);
  const { body } = await ada.get<FlowIteration[]>(`${path}/iterations`);
  // 4 × 4,999,999 + 4 are exactly as many as there may be.
  expect(body.map(({ bytes, content }) => [bytes, content === null ? null : Buffer.byteLength(content)])).toEqual([
    [4_999_999, null],
    [4, 4],
    ...Array.from({ length: 4 }, () => [4_999_999, 4_999_999]),
  ]);
  expect((await ada.get<FlowIteration>(`${path}/iterations/${body[0]?.id}`)).body.content).toBe(large);
  await root.decide(id, "accept");
  for (let round = 0; round < 4; round += 1) await root.decide((await newRequest(root, large, flow)).id, "accept");
  const history = (await ada.get<MainIteration[]>(`${flow}/mainIterations`)).body;
  expect(history.map(({ iteration }) => iteration.content === null)).toEqual([false, false, false, false, true]);
  const oldest = history.at(-1)?.iteration.id;
  expect((await ada.get<MainIteration>(`${flow}/mainIterations/${oldest}`)).body.iteration.content).toBe(large);
}, 60_000);

it("stores a content that is escaped character by character", async () => {
  const { ada, gateway } = shared();
  const flow = await newFlow(ada);
  const body = `{"name":"Escaped","iterations":[{"content":"${"\\u0020".repeat(flowContentBytes)}"}]}`;
  const answer = await gateway.app.inject({
    method: "POST",
    url: `${flow}/requests`,
    headers: { authorization: `Bearer ${shared().adaToken}`, "content-type": "application/json" },
    payload: body,
  });
  expect(answer.statusCode).toBe(201);
});
