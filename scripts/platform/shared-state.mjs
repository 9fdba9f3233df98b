// @ts-check
// What one gateway must know of the other: each check calls them in turn.
import { randomBytes, randomUUID } from "node:crypto";
import { call, expectCall, signIn } from "../harness/calls.mjs";
import { datasetChecks } from "./dataset-checks.mjs";
import { messageChecks } from "./message-checks.mjs";
import { accountNamed, changeMs, createAccount, expectEqual, expectStatus, jobMs, until, untilOk } from "./steps.mjs";

const fileset = "/filesets/public-data";
const flights = "/datasets/Aviation/flights";
const earthquakes = "/datasets/Natural%20hazards/earthquakes";

/** @type {import("./steps.mjs").Checks} */
const checks = {
  "a session of one gateway is valid at the other, is renewed once by either, and ends at both": async ({ a, b }) => {
    const { token: tokens } = await expectCall(a, "POST", "/auth/login", { body: accountNamed("developer") });
    await expectCall(b, "GET", "/profile", { token: tokens.access_token });
    const renewed = await expectCall(b, "POST", "/auth/refresh", { body: { refreshToken: tokens.refresh_token } });
    await expectStatus(401, a, "POST", "/auth/refresh", { body: { refreshToken: `${tokens.refresh_token}x` } });
    await expectCall(a, "GET", "/profile", { token: renewed.access_token });
    await expectCall(a, "POST", "/auth/logout", { body: { refreshToken: renewed.refresh_token } });
    await until(async () => (await call(b, "GET", "/profile", { token: renewed.access_token })).status === 401, changeMs);
  },

  "failed sign-ins at both gateways lock an account at both": async ({ a, b, administrator }) => {
    const { id, account } = await createAccount(a, administrator);
    const wrong = { username: account.username, password: "wrong" };
    for (const origin of [a, b, a, b, a]) await expectStatus(401, origin, "POST", "/auth/login", { body: wrong });
    for (const origin of [a, b]) await expectStatus(401, origin, "POST", "/auth/login", { body: account });
    await expectCall(b, "PUT", `/admin/users/${id}/unlock`, { token: administrator });
    for (const origin of [a, b]) await expectCall(origin, "POST", "/auth/login", { body: account });
  },

  "an account that is disabled at one gateway is signed out at the other": async ({ a, b, administrator }) => {
    const { id, account } = await createAccount(a, administrator);
    const token = await signIn(b, account.username, account.password);
    await expectCall(a, "PUT", `/admin/users/${id}/disable`, { token: administrator });
    await until(async () => (await call(b, "GET", "/profile", { token })).status === 401, changeMs);
  },

  "an API key that one gateway creates works at the other until it is deleted": async ({ a, b }) => {
    const token = await signIn(a, accountNamed("viewer").username, accountNamed("viewer").password);
    const body = { name: `key ${randomUUID()}`, datasets: [{ datasetCategory: "Natural hazards", datasetId: "earthquakes" }] };
    const { status, json, text } = await call(a, "POST", "/apiKeys", { token, body });
    if (status >= 300) throw new Error(`no API key: ${status} ${text}`);
    const search = { filters: [{ name: "mag", operator: ">=", value: "5" }], paging: { offset: 0, max: 1 } };
    const use = () => call(b, "POST", `${earthquakes}/search`, { key: json.key, body: search });
    await expectStatus(200, b, "POST", `${earthquakes}/search`, { key: json.key, body: search });
    await expectCall(a, "DELETE", `/apiKeys/${encodeURIComponent(body.name)}`, { token });
    await until(async () => (await use()).status === 401, changeMs);
  },

  "addresses for uploads and zips that one gateway signs are accepted by the other": async ({ a, b }) => {
    const token = await signIn(a, accountNamed("editor").username, accountNamed("editor").password);
    const [file, content] = [`${randomUUID()}.txt`, "written by way of the other gateway"];
    const { uploadUrl } = await expectCall(a, "GET", `${fileset}/upload?file=${file}`, { token });
    await expectCall(b, "PUT", uploadUrl.replace(/^\/api/, ""), { raw: content });
    const { text } = await call(a, "GET", `${fileset}/download?file=${file}`, { token });
    expectEqual(text, content);
    const { zipUrl } = await expectCall(a, "POST", `${fileset}/zip`, { token, body: { paths: [file] } });
    await expectStatus(200, b, "GET", zipUrl.replace(/^\/api/, ""), { token });
  },

  "a file is uploaded in parts by gateways in turn": async ({ a, b }) => {
    const token = await signIn(a, accountNamed("editor").username, accountNamed("editor").password);
    const file = `${randomUUID()}.txt`;
    const content = randomBytes(9_000_000).toString("base64");
    const draft = { file, size: content.length, version: "1" };
    const { uploadId, partBytes } = await expectCall(a, "POST", `${fileset}/uploads`, { token, body: draft });
    const upload = `${fileset}/uploads/${uploadId}`;
    const parts = Math.ceil(content.length / partBytes);
    if (parts < 3) throw new Error(`only ${parts} parts`);
    for (let part = 1; part <= parts; part += 1) {
      const [signing, storing] = part % 2 === 0 ? [a, b] : [b, a];
      const { uploadUrl } = await expectCall(signing, "GET", `${upload}/parts/${part}`, { token });
      const raw = content.slice((part - 1) * partBytes, part * partBytes);
      await expectCall(storing, "PUT", uploadUrl.replace(/^\/api/, ""), { raw });
    }
    const { received } = await expectCall(b, "POST", `${fileset}/uploads`, { token, body: draft });
    expectEqual(received.length, parts);
    await Promise.all([a, b].map((origin) => untilOk(origin, "POST", `${upload}/complete`, { token })));
    for (const origin of [a, b]) expectEqual((await call(origin, "GET", `${fileset}/download?file=${file}`, { token })).text, content);
  },

  "an export of one gateway is read, downloaded and canceled at the other": async ({ a, b }) => {
    const token = await signIn(a, accountNamed("developer").username, accountNamed("developer").password);
    const body = { format: "csv", search: { filters: [{ name: "origin", operator: "<>", value: "-" }] } };
    const { exportId } = await expectCall(a, "POST", `${flights}/export`, { token, body });
    await expectStatus(429, b, "POST", `${flights}/export`, { token, body });
    await until(async () => (await expectCall(b, "GET", `/exports/${exportId}`, { token })).status === "done", jobMs);
    const files = await Promise.all([a, b].map((origin) => call(origin, "GET", `/exports/${exportId}/file`, { token })));
    expectEqual(files[0]?.text, files[1]?.text);
    await expectCall(b, "DELETE", `/exports/${exportId}`, { token });
    await expectStatus(404, a, "GET", `/exports/${exportId}/file`, { token });
    const second = await expectCall(a, "POST", `${flights}/export`, { token, body });
    await expectCall(b, "DELETE", `/exports/${second.exportId}`, { token });
    expectEqual((await expectCall(a, "GET", `/exports/${second.exportId}`, { token })).status, "cancelled");
  },

  "what administrators change at one gateway is seen at the other": async ({ a, b, administrator }) => {
    const title = `Notice ${randomUUID()}`;
    const notice = { faIcon: "bullhorn", title, message: "To both." };
    const { id } = await expectCall(a, "POST", "/admin/notices", { token: administrator, body: notice });
    const token = await signIn(b, accountNamed("viewer").username, accountNamed("viewer").password);
    const isListed = async () => (await call(b, "GET", "/notices", { token })).text.includes(title);
    await until(isListed, changeMs);
    // It would open in every journey.
    await expectCall(a, "DELETE", `/admin/notices/${id}`, { token: administrator });
    await until(async () => !(await isListed()), changeMs);
  },

  "a schema update that both gateways are asked for runs once": async ({ a, b, administrator }) => {
    const update = "/admin/datasets/internal/earthquakes/schema/update";
    const hasEnded = async (/** @type {{ jobId: string }} */ { jobId }) =>
      (await expectCall(b, "GET", `${update}/${jobId}`, { token: administrator })).status !== "running";
    // A call that comes after the end of the update starts another one, so only calls during one update have to share it.
    await until(async () => {
      const jobs = await Promise.all([a, b, a, b].map((origin) => expectCall(origin, "GET", update, { token: administrator })));
      for (const job of jobs) await until(() => hasEnded(job), jobMs);
      return new Set(jobs.map(({ jobId }) => jobId)).size === 1;
    }, jobMs);
  },
};

/**
 * Calls the gateways in turn.
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 * @returns {Promise<[name: string, run: () => Promise<void>][]>}
 */
export async function sharedStateChecks(platform) {
  const [a = "", b = ""] = platform.gateways.map(({ origin }) => origin);
  const administrator = await signIn(a, accountNamed("admin").username, accountNamed("admin").password);
  return Object.entries({ ...checks, ...datasetChecks(platform), ...messageChecks(platform) }).map(([name, run]) => [
    name,
    () => run({ a, b, administrator }),
  ]);
}
