// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { JobClients, openReceiver } from "../lib/job-clients.mjs";
import { openPortal, sumMeasurements } from "../lib/portal.mjs";
import { Random } from "../lib/random.mjs";

export const name = "kill -9 of the portal under alerts, subscriptions, exports and imports";
export const isLong = true;

/** @param {import("../run.mjs").Context} context */
export async function run({ kills = 20, seed = 19 }) {
  const { mailPassword, openMailServer } = await import("@fairway/gateway/testing/mail-server");
  /** @type {string[]} */
  const mails = [];
  const mailServer = await openMailServer(({ content }) => void mails.push(content));
  const receiver = await openReceiver();
  const env = {
    FAIRWAY_SETTINGS: JSON.stringify({
      limits: { exportsKeptPerUser: 1_000, exportsAtOncePerUser: 20, exportsAtOnce: 20, ownDatasetsPerUser: 1_000 },
    }),
    LIMIT_USER_CALLS_PER_MINUTE: "1000000",
    LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
    FAIRWAY_WEBHOOK_ADDRESSES: "127.0.0.1",
    FAIRWAY_SMTP_URL: `smtp://portal:${encodeURIComponent(mailPassword)}@127.0.0.1:${mailServer.port}`,
    FAIRWAY_SMTP_FROM: "portal@fairway.example",
  };
  const random = new Random(seed);
  const clients = new JobClients(receiver.url);
  let portal = await openPortal({ env });
  const { home } = portal;
  const rounds = [];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = portal;
      const working = clients.work(victim);
      rounds.push(
        await victim.measure(async () => {
          const before = clients.accepted.length;
          // On a busy machine, little is accepted in a second.
          for (const endMs = performance.now() + 60_000; clients.accepted.length === before && performance.now() < endMs;) await sleep(20);
          await sleep(random.next() * 2_000);
          return "";
        }),
      );
      await victim.kill("SIGKILL");
      await working;
      portal = await openPortal({ home, env });
    }
    const { problems, counts } = await clients.verdict(portal, { webhooks: receiver.messages, mails });
    const note = `${kills} kills; accepted ${counts.alert} alerts, ${counts.subscription} subscriptions (${counts.unsure} are unsure), ${counts.export} exports, ${counts.import} imports (${counts.givenUp} of both given up after three kills); ${receiver.messages.length} webhooks (${counts.repeated} repeated with the same id), ${mails.length} mails; ${problems.length} lost or twice`;
    if (clients.accepted.length < kills) problems.push("almost nothing was accepted");
    return { ...sumMeasurements(rounds), note, ...(problems.length === 0 ? {} : { problem: problems.slice(0, 20).join("; ") }) };
  } finally {
    await portal.stop();
    receiver.close();
    await mailServer.close();
  }
}
