import type { flows as contract } from "@fairway/contract/flows";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { waitForLock } from "#database/wait-for-lock.ts";
import type { CallContext, Handlers } from "#http/handlers.ts";
import { SignedInUser } from "#http/signed-in-user.ts";
import { findByUsername } from "#identity/accounts.ts";
import type { FlowGroupRecipe, FlowRecipe, FlowRequestRecipe } from "@fairway/contract/recipes";
import { adminRole, type Membership } from "./membership.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly membership: Membership;
  readonly handlers: FlowHandlers;
}

type FlowHandlers = Handlers<typeof contract>;

/** Ensures that one gateway seeds at a time. Arbitrary, but must not be used by another advisory lock. */
const seedLock = 7_102_011;

/**
 * Plays the requests of groups that have no flow yet, by the rules of the calls, and dates them back. Skips a group that is disabled, or
 * that names users who have been deleted.
 */
export async function seedFlows({ db, membership, handlers }: Parts, groups: readonly FlowGroupRecipe[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    await waitForLock((statement) => sql.raw<{ acquired: boolean }>(statement).execute(connection), seedLock);
    try {
      for (const {
        entity: { name: group },
        flows,
      } of groups) {
        const users = await findUsers(connection, flows);
        if (users === undefined || !(await canSeed(connection, membership, users, group))) continue;
        for (const flow of flows) await seedFlow(connection, handlers, users, group, flow);
      }
    } finally {
      await sql`select pg_advisory_unlock(${seedLock})`.execute(connection);
    }
  });
}

type Users = ReadonlyMap<string, SignedInUser>;

/** Everyone who takes part, with the rights to do so. */
async function findUsers(db: Kysely<Database>, flows: readonly FlowRecipe[]): Promise<Users | undefined> {
  const usernames = new Set(flows.flatMap(({ requests }) => requests.flatMap(({ steps }) => steps.map(({ by }) => by))));
  const users = new Map<string, SignedInUser>();
  for (const username of usernames) {
    const account = await findByUsername(db, username);
    if (account === undefined) return undefined;
    const { id } = account;
    users.set(
      username,
      SignedInUser.make({ id, username: account.username, roles: [adminRole], groups: [], groupNames: [], sessionId: "", signedInAtMs: 0 }),
    );
  }
  return users;
}

async function canSeed(db: Kysely<Database>, membership: Membership, users: Users, group: string): Promise<boolean> {
  const [user] = users.values();
  if (user === undefined || !(await membership.isMember(user, group))) return false;
  return (await db.selectFrom("flows").select("id").where("group_name", "=", group).limit(1).executeTakeFirst()) === undefined;
}

async function seedFlow(
  db: Kysely<Database>,
  handlers: FlowHandlers,
  users: Users,
  group: string,
  { name, requests }: FlowRecipe,
): Promise<void> {
  const creator = requests[0]?.steps[0]?.by ?? "";
  const { id: flowId } = await handlers.create({ ...callBy(users, creator), params: { group }, body: { name } });
  for (const request of requests) await seedRequest(db, handlers, users, { group, flowId }, request);
}

async function seedRequest(
  db: Kysely<Database>,
  handlers: FlowHandlers,
  users: Users,
  flow: { readonly group: string; readonly flowId: number },
  { name, reason, steps, minutesAgo }: FlowRequestRecipe,
): Promise<void> {
  const [creation, ...rest] = steps;
  if (creation?.kind !== "iteration") throw new Error(`the request ${name} does not begin with an iteration`);
  const body = { name, reason, iterations: [{ content: creation.content }] };
  const { id, lastIterationId } = await handlers.createRequest({ ...callBy(users, creation.by), params: flow, body });
  const params = { ...flow, requestId: id };
  const dateBack = (step: number) => dateStep(db, id, minutesAgo[step] ?? 0);
  await dateBack(0);
  let last = { iterationId: lastIterationId, content: creation.content };
  for (const [index, step] of rest.entries()) {
    const by = callBy(users, step.by);
    if (step.kind === "iteration") {
      const iteration = await handlers.createIteration({ ...by, params, body: { content: step.content, reason: step.reason } });
      last = { iterationId: iteration.id, content: step.content };
    } else if (step.kind === "comment") {
      const anchor =
        step.line === undefined ? null : { kind: "line" as const, iterationId: last.iterationId, line: lineOf(last.content, step.line) };
      await handlers.comment({ ...by, params, body: { text: step.text, anchor } });
    } else if (step.kind === "review") {
      await handlers.review({ ...by, params, body: { isReviewer: true } });
    } else if (step.kind === "accept" || step.kind === "reject") {
      await handlers[step.kind]({ ...by, params: { id }, body: undefined });
    } else {
      await handlers[step.kind]({ ...by, params, body: undefined });
    }
    await dateBack(index + 1);
  }
}

function lineOf(content: string, needle: string): number {
  const lines = content.split("\n");
  const found = lines.findIndex((line) => line.includes(needle));
  if (found === -1) throw new Error(`no line of the iteration contains ${needle}`);
  return found + 1;
}

/** The part of a call that the handlers of flows use. */
function callBy(users: Users, username: string): CallContext & { readonly user: SignedInUser; readonly query: undefined } {
  const user = users.get(username);
  if (user === undefined) throw new Error(`there is no user ${username} to seed flows with`);
  return { user, query: undefined, signal: new AbortController().signal } as ReturnType<typeof callBy>;
}

/** Moves what the last step has created to its time: everything that is newer than the seeding's other steps. */
async function dateStep(db: Kysely<Database>, requestId: number, minutesAgo: number): Promise<void> {
  const time = sql`clock_timestamp() - make_interval(mins => ${minutesAgo})`;
  // Rows of earlier steps are dated back already.
  const isNew = (column: string) => sql`${sql.ref(column)} > clock_timestamp() - interval '10 seconds'`;
  const tables = [
    ["flow_iterations", "created_at"],
    ["flow_comments", "created_at"],
    ["flow_events", "at"],
  ] as const;
  for (const [table, column] of tables) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${time} where request_id = ${requestId} and ${isNew(column)}`.execute(db);
  }
  await sql`
    update flow_main_iterations set accepted_at = ${time}
    where iteration_id in (select id from flow_iterations where request_id = ${requestId}) and ${isNew("accepted_at")}`.execute(db);
  await sql`
    update flow_requests set updated_at = ${time}, created_at = case when ${isNew("created_at")} then ${time} else created_at end
    where id = ${requestId}`.execute(db);
}
