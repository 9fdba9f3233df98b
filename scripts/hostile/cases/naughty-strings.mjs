// @ts-check
import { naughtyStrings, pathPart } from "../lib/naughty-strings.mjs";

export const name = "Naughty strings in filters, names, paths and queries";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asViewer();
  const dataset = { datasetCategory: "Trials", datasetId: "points" };
  return portal.measure(async () => {
    const problems = [];
    let savedNames = 0;
    for (const text of naughtyStrings) {
      const part = pathPart(text);
      const range = { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" };
      const filter = (/** @type {string} */ field) => ({
        timeRange: range,
        filters: [{ name: "name", operator: "=", value: "x", [field]: text }],
      });
      const answers = [
        await portal.call("POST", "/datasets/Trials/points/search", { token, body: filter("value") }),
        await portal.call("POST", "/datasets/Trials/points/search", { token, body: filter("name") }),
        await portal.call("POST", "/datasets/Trials/points/search", { token, body: filter("operator") }),
        await portal.call("POST", "/auth/refresh", { body: { refreshToken: text } }),
        await portal.call("GET", `/datasets/${part}/${part}`, { token }),
        await portal.call("GET", `/exports/${part}`, { token }),
        await portal.call("DELETE", `/apiKeys/${part}`, { token }),
        await portal.call("GET", `/datasets?${part}=${part}`, { token }),
      ];
      const saved = await portal.call("POST", "/favorite/queries", {
        token,
        body: { ...dataset, queryName: text, query: '{"filters":[]}' },
      });
      answers.push(saved);
      if (saved.status === 201) {
        savedNames += 1;
        const { text: list } = await portal.call("GET", "/favorite/queries", { token });
        const names = JSON.parse(list).map((/** @type {{ queryName: string }} */ { queryName }) => queryName);
        if (!names.includes(text.trim().normalize("NFC"))) problems.push(`${JSON.stringify(text.slice(0, 50))} was returned differently`);
      }
      for (const { status, text: body } of answers) {
        if (status === 0 || status >= 500) problems.push(`${JSON.stringify(text.slice(0, 50))}: ${status} ${body.slice(0, 100)}`);
      }
    }
    const note = `${naughtyStrings.length} texts in 9 places; ${savedNames} saved as names`;
    return problems.length === 0 ? note : { note, problem: problems.join("; ") };
  });
}
