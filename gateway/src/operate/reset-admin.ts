import { randomBytes } from "node:crypto";
import pino from "pino";
import { administrationOf } from "#capabilities/entities/service.ts";
import type { AccountParts } from "#capabilities/entities/account-repository.ts";
import { usersRepository } from "#capabilities/entities/users-repository.ts";
import { Recorder } from "#capabilities/audit/recorder.ts";
import type { Config } from "#config/config.ts";
import { connectDatabase } from "#database/connection.ts";
import { openNotifications } from "#database/notifications.ts";
import { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { administratorRole, ensureRoles, findByUsername } from "#identity/accounts.ts";
import { LoginThrottle } from "#identity/login-throttle.ts";
import { openPasswordPolicy } from "#identity/password-policy.ts";
import { removeSecondFactors } from "#identity/second-factors.ts";
import { SessionStates } from "#identity/session-states.ts";
import { StartFailure } from "#process/start-failure.ts";
import { openOperatedDatabase, requireMigrated } from "./operated-database.ts";

/** Author of the change, in revisions, security activity and audit log. */
const operator = SignedInUser.make({
  id: "operator",
  username: "operator (command line)",
  roles: [],
  sessionId: "",
  groups: [],
  groupNames: [],
  signedInAtMs: 0,
});

interface Reset {
  readonly username: string;
  /** Undefined = make one that has to be replaced at the first sign-in. */
  readonly password: string | undefined;
  readonly removeSecondFactors: boolean;
}

interface ResetResult {
  /** As stored; it may differ from the given one in case. */
  readonly username: string;
  readonly isNew: boolean;
  readonly hadSecondFactors: boolean;
  readonly oneTimePassword: string | undefined;
}

/**
 * Gives an account, which is created if there is none, the role admin and a password, unlocks it and ends its sessions and card. Works
 * by the same rules and with the same records as a change by an administrator, and every gateway sees it at once. Throws StartFailure.
 */
export async function resetAdmin(config: Config, reset: Reset): Promise<ResetResult> {
  const log = pino({ level: "silent" });
  const operated = await openOperatedDatabase(config, log);
  const closing: (() => Promise<void>)[] = [() => operated.close()];
  try {
    await requireMigrated(operated.url);
    const database = connectDatabase(operated.url, { maxConnections: 2 });
    closing.push(() => database.close());
    const notifications = await openNotifications(operated.url, log);
    closing.push(() => notifications.close());
    const passwordPolicy = await openPasswordPolicy({
      rules: config.passwordRules,
      minCharacters: config.limits.passwordMinCharacters,
      portalTitle: () => Promise.resolve(config.settings.appTitle),
    });
    const { securityLimits } = config;
    const states = await SessionStates.open(database.db, notifications, log);
    const throttle = new LoginThrottle(database.db, securityLimits);
    const identity: AccountParts["identity"] = {
      userChanged: (userId) => states.changed("user", userId),
      everyoneChanged: () => states.changed("everyone", ""),
      lockedByFailures: (usernames, trx) => throttle.lockedAmong(usernames, trx),
      forgiveFailures: (username) => throttle.forgive(username),
    };
    await ensureRoles(database.db, [administratorRole]);
    const users = administrationOf(database.db, usersRepository({ identity, passwordPolicy }), securityLimits);

    const oneTimePassword = reset.password === undefined ? randomBytes(18).toString("base64url") : undefined;
    const change = {
      password: {
        setPassword: true,
        value: reset.password ?? oneTimePassword,
        requirePasswordChange: oneTimePassword !== undefined,
      },
      lockStatus: { disabled: false },
    };
    const existing = await findByUsername(database.db, reset.username);
    const role = { name: administratorRole };
    const saved =
      existing === undefined
        ? await users.create({ username: reset.username, roles: [role], ...change }, operator)
        : await users.amend(existing.id, "edit", operator, (user) => ({
            ...user,
            roles: [...(user["roles"] as { name: string }[]), role],
            ...change,
            enabled: true,
          }));
    const id = String(saved["id"]);
    const hadSecondFactors = reset.removeSecondFactors && (await removeSecondFactors(database.db, id, operator.username));
    await identity.userChanged(id);
    await recordInAuditLog(database.longRunning.pool, config, id);
    return { username: String(saved["username"]), isNew: existing === undefined, hadSecondFactors, oneTimePassword };
  } catch (error) {
    throw error instanceof Refusal ? new StartFailure(error.message) : error;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function recordInAuditLog(pool: Parameters<typeof Recorder.open>[0]["pool"], config: Config, userId: string): Promise<void> {
  const { auditIntervalMs: intervalMs, auditBufferEvents: bufferCalls } = config.securityLimits;
  const quiet = { warn: () => undefined, info: () => undefined };
  const recorder = await Recorder.open({ pool, log: quiet, intervalMs, bufferCalls, dropped: { increment: () => undefined } });
  await recorder.recordNow({
    timeMs: Date.now(),
    durationMs: 0,
    responseCode: 200,
    method: "POST",
    url: `/commands/reset-admin/${userId}`,
    shape: undefined,
    userId: null,
    username: operator.username,
    apiKey: null,
    ip: "",
    userAgent: undefined,
  });
  await recorder.close();
}
