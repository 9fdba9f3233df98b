import type { FlowRequest } from "@fairway/contract/flow-requests";
import type { FlowRequestCounts } from "@fairway/contract/flows";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { flowsApp, flowTables, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose }), flowTables);
const list = "/flowGroups/storm-desk/requests";

/** 1,000 requests of two flows, every tenth closed, every fourth ready for review, every fifth by Grace. */
async function thousandRequests(): Promise<void> {
  const { ada, gateway } = shared();
  const first = await newRequest(ada);
  const second = await ada.createFlow("Ålesund tides");
  const { db } = gateway.database;
  const [grace] = (await sql<{ id: string }>`select id from users where username = 'grace'`.execute(db)).rows;
  await sql`
    with added as (
      insert into flow_requests (flow_id, name, status, creator_id, creator_username, iterations)
      select case when n % 2 = 0 then old.flow_id else ${second.body.id} end, 'Change ' || n,
        case when n % 10 = 0 then 2 when n % 4 = 0 then 1 else 0 end,
        case when n % 5 = 0 then ${grace?.id ?? ""} else old.creator_id end, case when n % 5 = 0 then 'grace' else 'ada' end, 1
      from flow_requests as old, generate_series(1, 999) as n where old.id = ${first.id} order by n returning id, creator_id)
    insert into flow_iterations (request_id, number, creator_id, creator_username, bytes, format, content)
    select added.id, 1, added.creator_id, 'ada', 2, 'json', old.content from added, flow_iterations as old where old.request_id = ${first.id}
  `.execute(db);
}

it("a list of 1,000 requests is answered in pages, the newest first, each request once, with the filters applied before", async () => {
  await thousandRequests();
  const { ada } = shared();
  const get = async (query: string, at = list) => (await ada.get<FlowRequest[]>(`${at}?${query}`)).body;
  const pagesOf = async (query: string): Promise<FlowRequest[][]> => {
    const pages: FlowRequest[][] = [];
    for (let page = await get(query); page.length > 0; page = await get(`${query}&before=${page.at(-1)?.id}`)) pages.push(page);
    return pages;
  };
  const everything = await get("");
  expect(everything.map(({ id }) => id)).toEqual(everything.map(({ id }) => id).toSorted((one, other) => one - other));
  expect(everything).toHaveLength(1_000);

  const pages = await pagesOf("limit=300");
  expect(pages.map(({ length }) => length)).toEqual([300, 300, 300, 100]);
  expect(pages.flat()).toEqual(everything.toReversed());
  expect(await get(`before=${everything[150]?.id}`)).toEqual(everything.slice(50, 150).toReversed());

  for (const [query, matches] of [
    ["state=open", ({ status }) => status < 2],
    ["state=closed", ({ status }) => status === 2],
    ["status=1", ({ status }) => status === 1],
    ["status=1&state=closed", () => false],
    ["search=CHANGE+99", ({ name }) => /^Change .*99/.test(name)],
    ["search=%C3%85LESUND++grace", ({ flowName, creatorUsername }) => flowName.startsWith("Ålesund") && creatorUsername === "grace"],
    ["search=storm+desk+change+7", ({ name }) => /^Change .*7/.test(name)],
    ["show=review", ({ needsMyReview }) => needsMyReview],
    ["show=mine&search=99", ({ isOwn, name }) => isOwn && name.includes("99")],
  ] as [string, (request: FlowRequest) => boolean][]) {
    const expected = everything.filter(matches).map(({ id }) => id);
    expect([query, (await get(query)).map(({ id }) => id)]).toEqual([query, expected]);
    expect([query, (await pagesOf(`${query}&limit=40`)).flat().map(({ id }) => id)]).toEqual([query, expected.toReversed()]);
    const { body: counts } = await ada.get<FlowRequestCounts>(`${list}/counts?${query.replace(/show=\w+&?/, "")}`);
    expect([query, query.includes("review") ? counts.review : query.includes("mine") ? counts.mine : counts.all]).toEqual([
      query,
      expected.length,
    ]);
  }
  const flowId = everything[0]?.flowId;
  expect(await get("limit=3&state=open", `/flowGroups/storm-desk/flows/${flowId}/requests`)).toEqual(
    everything
      .filter((request) => request.flowId === flowId && request.status < 2)
      .slice(-3)
      .toReversed(),
  );
  for (const query of ["limit=0", "limit=501", "before=x", "status=9", "show=theirs"]) {
    expect([query, (await ada.get(`${list}?${query}`)).status]).toEqual([query, 400]);
  }
});
