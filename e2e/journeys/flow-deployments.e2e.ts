import { expect, test } from "../support/fixtures.ts";
import { uniqueName } from "../support/administration.ts";
import { adminHeaders } from "../support/own-account.ts";
import { type FakeNifi, startFakeNifi } from "../../gateway/src/nifi/testing/fake-nifi.ts";

let nifi: FakeNifi;
test.beforeAll(async () => {
  nifi = await startFakeNifi({ version: "1.18.0" });
});
test.afterAll(() => nifi.close());

const content = (schedulingPeriod: string) =>
  JSON.stringify({
    flowContents: {
      identifier: "11111111-1111-4111-8111-111111111111",
      name: "tides",
      processors: [
        {
          identifier: "22222222-2222-4222-8222-222222222222",
          name: "Poll",
          type: "org.apache.nifi.processors.standard.LogAttribute",
          bundle: { group: "org.apache.nifi", artifact: "nifi-standard-nar", version: "1.18.0" },
          properties: {},
          schedulingPeriod,
          schedulingStrategy: "TIMER_DRIVEN",
        },
      ],
      connections: [],
      processGroups: [],
    },
    flowEncodingVersion: "1.0",
  });

test("[FLOW-51][FLOW-72] an administrator deploys iterations to a NiFi, sees what was changed there, and rolls back", async ({
  page,
  request,
  signIn,
}) => {
  const headers = await adminHeaders(request);
  const post = async <Body>(path: string, data: object): Promise<Body> => {
    const response = await request.post(`/api${path}`, { headers, data });
    expect(response.status()).toBe(201);
    return (await response.json()) as Body;
  };
  const [environment, group] = [uniqueName("env"), uniqueName("desk")];
  await post("/admin/flowEnvironments", { name: environment, displayName: `NiFi ${environment}`, baseUrl: nifi.url });
  await post("/admin/flowGroups", { name: group, displayName: `Desk ${group}` });
  const flow = await post<{ id: number }>(`/flowGroups/${group}/flows`, { name: "tides" });
  const draft = { name: "Poll more often", iterations: [{ content: content("1 min") }] };
  const { id } = await post<{ id: number }>(`/flowGroups/${group}/flows/${flow.id}/requests`, draft);
  await post(`/flowGroups/${group}/flows/${flow.id}/requests/${id}/iterations`, { content: content("9 sec") });
  const groupInNifi = () => nifi.findGroup(`${group} / tides`);

  await signIn("admin");
  await page.goto(`/niflow-requests/${group}/${flow.id}/${id}`);
  const dialog = page.getByRole("dialog");
  const deploy = async (verb: "Deploy" | "Roll Back") => {
    await dialog.getByText("None", { exact: true }).click();
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await expect(page.getByRole("dialog", { name: "Deployed" })).toContainText("Replace the flow");
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  };

  await test.step("deploys the first iteration, then the second", async () => {
    for (const iteration of ["Iteration 1", "Iteration 2, latest"]) {
      await page.getByRole("button", { name: "Actions", exact: true }).click();
      await page.getByRole("menuitem", { name: "Deploy" }).click();
      await dialog.getByRole("combobox", { name: "Iteration" }).click();
      await page.getByRole("listbox", { name: "Iteration" }).getByRole("option", { name: iteration, exact: true }).click();
      await dialog.getByRole("combobox", { name: "Environment" }).click();
      await page.getByRole("option", { name: `NiFi ${environment}` }).click();
      await deploy("Deploy");
      await expect(dialog).toHaveCount(0);
    }
    expect(JSON.stringify(groupInNifi()?.definition)).toContain("9 sec");
  });

  await test.step("sees what somebody changed in NiFi", async () => {
    nifi.edit(groupInNifi()?.id ?? "", (contents) => {
      for (const processor of contents["processors"] as Record<string, unknown>[]) processor["schedulingPeriod"] = "77 sec";
    });
    await page.getByRole("button", { name: "2 deployments" }).click();
    await expect(dialog.getByRole("columnheader")).toHaveText([
      "Deploy Time",
      "Deployed By",
      "Environment Name",
      "Base URL",
      "Iteration",
      "State",
      "Actions",
    ]);
    await dialog.getByRole("button", { name: /^Check for drift: Iteration 2/ }).click();
    await dialog.getByText("None", { exact: true }).click();
    await dialog.getByRole("button", { name: "Check", exact: true }).click();
    await expect(dialog).toContainText(`NiFi ${environment} differs from Iteration 2 in 1 place`);
    await expect(dialog.getByRole("listitem")).toContainText(["77 sec"]);
  });

  await test.step("rolls back", async () => {
    await dialog.getByRole("button", { name: /^Roll back to: Iteration 1/ }).click();
    await deploy("Roll Back");
    await expect(dialog.getByRole("row").filter({ hasText: "Rolled back" })).toContainText("Iteration 1");
    expect(JSON.stringify(groupInNifi()?.definition)).toContain("1 min");
    expect(nifi.groups().filter(({ name }) => name.startsWith(group))).toHaveLength(1);
  });
});
