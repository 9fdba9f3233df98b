import { beforeEach, describe, expect, it } from "vitest";
import { sampleTemplate } from "#nifi/testing/sample-flows.ts";
import { deploymentsApp } from "#testing/flow-deployments-app.ts";
import { opened, openStaging, deployed, failure, iteration, list, running } from "#testing/staged-deployments.ts";

beforeEach(openStaging);

const ofOthers = "marine / tides";
const stepsOf = async (id: number) => (await running(id))?.steps.map(({ name, state, text }) => [name, state, text]);

describe("a NiFi that lies", () => {
  it("and answers with a group of others in place of a new one gets it neither started nor deleted", async () => {
    const { staging } = opened;
    const iterations = [{ ...iteration, format: "xml" as const, content: sampleTemplate }];
    const withTemplate = await deploymentsApp({ iterations, peer: opened.app });
    const id = staging.addGroup(ofOthers);
    const before = staging.findGroup(ofOthers);
    const pretend = () => ({ id, revision: { version: 0 }, component: { name: "weather / storm-ingest" } });
    for (const [path, number] of [
      [/\/upload$/, 11],
      [/root\/process-groups$/, 31],
    ] as const) {
      staging.fail({ method: "POST", path }, { pretend });
      if (number === 31) opened.app = withTemplate;
      expect(await failure(number, "staging", { startNew: true })).toEqual([
        502,
        "upstream-failed",
        expect.stringMatching(/^NiFi answered with a process group that was there before, in place of a new one\. N/),
      ]);
      expect(await list(number)).toEqual([]);
    }
    expect(staging.findGroup(ofOthers)).toEqual(before);
    expect(staging.requests.filter(({ method, path }) => method !== "GET" && path.includes(id))).toEqual([]);
  });

  it("and answers with another group than it is asked for gets neither of them changed", async () => {
    const { staging } = opened;
    await deployed(11);
    const id = staging.addGroup(ofOthers);
    const before = staging.groups();
    staging.fail({ method: "GET", path: /^\/process-groups\/[\w-]{36}$/ }, { pretend: () => ({ id, revision: { version: 0 } }) });
    expect(await failure(12)).toEqual([
      502,
      "upstream-failed",
      "NiFi answers with another process group than the one it was asked for. Nothing was changed in NiFi.",
    ]);
    expect(staging.groups()).toEqual(before);
  });

  it("and says that it replaced a flow, without doing so, is not believed, but a deployment of the same again is", async () => {
    const { staging } = opened;
    expect((await deployed(11)).warnings).toEqual([]);
    expect((await deployed(11)).warnings).toEqual([]);
    staging.fail({ method: "POST", path: /replace-requests$/ }, { pretend: () => ({ request: { requestId: "1", complete: true } }) });
    const { warnings } = await deployed(12);
    expect(warnings).toEqual(["NiFi shows the same flow as before this deployment. Check there whether it has the new one."]);
    const said = "NiFi says that it replaced the content of the process group “weather / storm-ingest”, and shows the same as before.";
    expect(await stepsOf(12)).toContainEqual([expect.any(String), "done", said]);
    staging.recover();
    expect((await deployed(21)).warnings).toEqual([]);
    expect(JSON.stringify(staging.findGroup("weather / storm-ingest")?.definition)).toContain("9 sec");
  });

  it.each<[string, () => unknown]>([
    ["a version that is no text", () => ({ about: { version: { major: 1 } } })],
    ["a version without end", () => ({ about: { version: "1".repeat(1_000_000) } })],
    ["text", () => "1.18.0"],
  ])("and has %s is left alone after one call", async (_what, pretend) => {
    const { staging } = opened;
    staging.fail({ path: /\/flow\/about$/ }, { pretend });
    const [status, code, message] = await failure(11);
    expect([status, code]).toEqual([502, "upstream-failed"]);
    expect(message).toMatch(/Nothing was changed in NiFi\.$/);
    expect(staging.requests.filter(({ path }) => path !== "/flow/about")).toEqual([]);
    expect(staging.requests).toHaveLength(1);
    expect(await list(11)).toEqual([]);
  });
});
