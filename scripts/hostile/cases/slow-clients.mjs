// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../lib/raw.mjs";

export const name = "300 slow senders and 60 clients that never read";
export const isLong = true;

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const [senders, readers, seconds] = [300, 60, 12];
  const token = await portal.asViewer();
  // Another user, because clients that do not read fill their own queue.
  const other = await portal.asAdministrator();
  const body = JSON.stringify({
    filters: [],
    paging: { offset: 0, max: 1_000 },
    timeRange: { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" },
  });
  const search = `POST /api/datasets/Trials/points/search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return portal.measure(async () => {
    const sockets = [
      ...Array.from({ length: senders }, (_, n) =>
        openSocket(
          portal,
          n % 2 === 0
            ? "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
            : "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
        ),
      ),
      ...Array.from({ length: readers }, () => openSocket(portal, search.repeat(10)).pause()),
    ];
    let answered = 0;
    let worstMs = 0;
    for (let second = 0; second < seconds; second += 1) {
      for (const socket of sockets.slice(0, senders)) if (socket.writable) socket.write("a");
      const { status, ms } = await portal.call("POST", "/datasets/Trials/points/search", { token: other, body, timeoutMs: 60_000 });
      if (status === 200) answered += 1;
      worstMs = Math.max(worstMs, ms);
      await sleep(1_000);
    }
    for (const socket of sockets) socket.destroy();
    const note = `${answered} of ${seconds} searches of others answered, the slowest in ${Math.round(worstMs)} ms`;
    return answered === seconds ? note : { note, problem: "other users were not served" };
  });
}
