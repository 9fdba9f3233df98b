import type { SignInAttempt } from "@fairway/contract/sessions";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { parseUserAgent } from "#http/client.ts";
import { timeOf } from "./event-ids.ts";

const maxAttempts = 20;

const steps: Readonly<Record<string, SignInAttempt["step"]>> = {
  "/auth/login": "password",
  "/auth/second-factor": "second-factor",
  "/auth/passkey": "passkey",
  "/geoAxis/cacLogin": "card",
  "/oidc/login": "provider",
};

/** The latest attempts to sign in to an account, newest first. Reads no more than the limit from each shape's index. */
export async function signInsOf(db: Kysely<Database>, userId: string): Promise<SignInAttempt[]> {
  const { rows } = await sql<{ id: string; route: string; response_code: number; ip_address: string; user_agent: string }>`
    select found.id, shape.route, shape.response_code, client.ip_address, client.user_agent
    from audit_shapes shape
    cross join lateral (
      select id, client_id from audit_events where shape_id = shape.id order by id desc limit ${maxAttempts}
    ) as found
    join audit_clients client on client.id = found.client_id
    where shape.user_id = ${userId} and shape.route in ('/auth/login', '/auth/second-factor', '/auth/passkey', '/geoAxis/cacLogin', '/oidc/login')
    order by found.id desc
    limit ${maxAttempts}`.execute(db);
  return rows.map(({ id, route, response_code, ip_address, user_agent }) => ({
    id,
    timeMs: timeOf(id),
    step: steps[route] ?? "password",
    succeeded: response_code < 400,
    client: parseUserAgent(user_agent),
    ipAddress: ip_address,
  }));
}
