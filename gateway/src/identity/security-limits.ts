import { z } from "zod";

const count = (fallback: number) => z.int().positive().default(fallback);

/**
 * Private limits that operators may change, with their defaults. Names include the unit. Not part of `/static/settings.json`,
 * because attackers should not learn the limits of sign-ins.
 */
export const securityLimits = z.object({
  loginAttemptsPerMinute: count(120).describe("Sign-ins one address may try in a minute; then 429."),
  loginFailuresPerMinute: count(30).describe("Sign-ins that may fail for one address in a minute; then 429."),
  refreshesPerMinute: count(1_200).describe("Renewals of sessions one address may ask for in a minute; then 429."),
  lockoutFailuresPerAddress: count(5).describe("Failures of one account from one address that lock it for that address."),
  lockoutFailuresAnywhere: count(50).describe("Failures of one account from any addresses that lock it for all."),
  lockoutMinutes: count(15).describe("Failures count for this long, and a lock that they cause lasts as long."),
  signInsAtOnce: count(8).describe("Sign-ins and password changes that one gateway works on side by side."),
  passwordChecksAtOnce: count(2).describe("Passwords of these that are compared at the same time."),
  passwordChecksWaiting: count(256).describe("Sign-ins and password changes that may wait for their turn; then 503."),
  accessTokenSeconds: z.int().min(1).max(86_400).default(1_800).describe("Lifetime of an access token; the browser renews it in time."),
  refreshTokenHours: count(12).describe("A session that is not refreshed for this long ends."),
  sessionDays: count(30).describe("A session ends this long after its sign-in, however busy it is."),
  freshSignInMinutes: count(10).describe("API keys, sign-in methods and email can be changed this long after a sign-in."),
  providerGraceMinutes: count(15).describe("Sessions of the OpenID Connect provider go on this long while it cannot be reached."),
  providerUncheckedMinutes: count(60).describe(
    "Sessions for which the OpenID Connect provider issues no refresh token end after this time.",
  ),
  providerLogoutsPerMinute: count(1_200).describe(
    "Logouts that one address may tell of for the OpenID Connect provider in a minute; then 429.",
  ),
  providerConfirmedDays: count(30).describe(
    "API keys of people of the OpenID Connect provider stop this long after their last sign-in or renewal.",
  ),
  passwordResetSeconds: count(600).describe("Lifetime of the token that a forced password update gets."),
  secondFactorSeconds: count(300).describe("A sign-in waits for its second factor this long."),
  passkeySeconds: count(300).describe("A passkey that was asked for has to be there within this time."),
  passkeysPerUser: count(20).describe("Passkeys that one account may have."),
  setupTokenHours: count(24).describe("Lifetime of the link that creates the first administrator."),
  signingKeyDays: count(30).describe("Age at which the key that signs access tokens is replaced."),
  auditDays: count(365).describe("Audit events are kept for this long."),
  auditIntervalMs: count(1_000).describe(
    "Audit events are stored this often, or 500 at a time; a gateway that is killed loses those of one interval.",
  ),
  auditBufferEvents: count(50_000).describe("Audit events that wait while the database is away; more are dropped and counted."),
  auditExportRows: count(1_000_000).describe("Events of one export of the audit log; an export of more is cut and says so."),
  securityEventDays: count(365).describe("Security changes stay in an account's history for this long."),
  revisionsPerEntity: count(200).describe("Revisions kept of each thing that administrators change; older ones go."),
  revisionDays: count(1_095).describe("Revisions are kept for this long, also of what was deleted."),
  feedbackPerHour: count(20).describe("Feedback that one user may submit in an hour; then 429."),
  feedbackFilesWaiting: count(30).describe("Attachments of one user whose feedback is not submitted yet; then 429."),
  feedbackFilesBytes: count(1_000_000_000).describe("Room for all attachments of one user, submitted or not; then 413."),
  notificationsPerUser: count(200).describe("Notifications kept for one user; the oldest make room."),
  notificationDays: count(90).describe("Notifications are kept for this long."),
  notificationEmailSeconds: count(60).describe("A notification that is not read within this long is sent by email."),
  descriptionSuggestionsPerUser: count(100).describe("Open suggestions of descriptions that one user may have; then 429."),
  databaseConnections: count(20).describe(
    "Connections to the database that one gateway opens for ordinary calls; six more serve the rest.",
  ),
  databaseConnectionsPerUser: count(8).describe(
    "Of these, connections of one user, or of one address before the sign-in; one is always left to others.",
  ),
  databaseConnectMs: count(2_000).describe("Longest wait for a connection to the database; then 503."),
  databaseStatementMs: count(3_000).describe("Longest time for one database statement of an ordinary call; then 503."),
  databaseLongStatementMs: count(60_000).describe("The same for the audit log, administration and housekeeping."),
  databaseMigrationMs: count(3_600_000).describe("The same for bringing the database to a new version at a start."),
  feedbackFileHours: count(24).describe("Attachments whose feedback is not submitted within this long are removed."),
});
export type SecurityLimits = z.infer<typeof securityLimits>;

export const defaultSecurityLimits: SecurityLimits = securityLimits.parse({});
