import { type Migration, sql } from "kysely";

export const loginFailureCountsMigration: Migration = {
  async up(db) {
    // Each statement of a volatile function sees everything committed before it, so the count is taken under the lock.
    await sql`
      create function count_login_failures (of_account text, of_address text, lockout interval, pending interval)
      returns table (failed_anywhere integer, failed_here integer, anywhere integer, here integer, locked boolean)
      language plpgsql volatile as $$
      begin
        -- The second number keeps these locks apart from all others.
        perform pg_advisory_xact_lock(hashtextextended(of_account, 1));
        return query
          select count(*) filter (where failed)::integer, count(*) filter (where failed and is_here)::integer,
            count(*)::integer, count(*) filter (where is_here)::integer,
            exists (
              select from login_locks
              where login_locks.account = of_account and login_locks.address in (of_address, '*') and login_locks.until > now()
            )
          from (
            select state = 'failed' or at < now() - pending as failed, login_failures.address = of_address as is_here
            from login_failures
            where login_failures.account = of_account and state <> 'void' and at > now() - lockout
          ) as counted;
      end
      $$`.execute(db);
  },
};
