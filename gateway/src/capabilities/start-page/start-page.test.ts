import { expect, it } from "vitest";
import { operatorSettings } from "#config/settings-file.ts";
import { startSettings } from "#config/start-settings.ts";
import { identityApp, someAccounts } from "#testing/identity-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openStartPage } from "./capability.ts";

const search = (parts: unknown) => `1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
const ships = search({ c: "Sea", d: "ships" });
const crews = search({ c: "Sea", d: "crews" });

it("answers the operator's line and the questions on datasets that the user may read", async () => {
  const { start } = operatorSettings.parse({
    start: {
      line: "All at sea.",
      questions: [
        { title: "Ships today", address: `https://portal.example.org/search/7#${ships}`, graph: { title: "Ships" } },
        { title: "Crews", address: `#${crews}` },
      ],
    },
  });
  const app = await identityApp({
    accounts: someAccounts,
    capabilities: () => [openStartPage({ start, canRead: (_user, { datasetId }) => Promise.resolve(datasetId === "ships") })],
  });
  const { ada } = await adaAndGrace(app, (token) => token);
  const { status, body } = await app.call("GET", "/startPage", { token: ada });
  expect([status, body]).toEqual([
    200,
    {
      line: "All at sea.",
      questions: [
        {
          title: "Ships today",
          dataset: { datasetCategory: "Sea", datasetId: "ships" },
          search: ships,
          graph: { title: "Ships", type: "bar", by: "day" },
        },
      ],
    },
  ]);
  expect((await app.call("GET", "/startPage")).status).toBe(401);
});

it.each(["", "#", "https://portal.example.org/search/7", "#1.e30", "#2.eyJjIjoiYSIsImQiOiJiIn0", "#1.not json", `#${search(["a"])}`])(
  "refuses %j as the address of a search",
  (address) => {
    const { error } = startSettings.safeParse({ questions: [{ title: "Ships", address }] });
    expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
      ["questions.0.address", "expected the address of a search, as copied from the browser"],
    ]);
  },
);
