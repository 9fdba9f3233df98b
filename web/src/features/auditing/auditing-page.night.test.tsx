import { auditing } from "@fairway/contract/audit";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { rows, administrator, serveAudit } from "#testing/auditing.ts";

beforeEach(serveAudit);

it("choices that fail to load show an error and can be typed instead", async () => {
  gateway.refuse(auditing.usernames, "internal", "It broke.", { times: 1 });
  gateway.refuse(auditing.responseCodes, "internal", "It broke.", { times: 1 });
  await openScreen("/auditing", administrator);
  const filters = page.getByRole("search", { name: "Filters" });
  await expect.element(filters).toHaveTextContent("The usernames could not be loaded.");
  await expect.element(filters).toHaveTextContent("The codes could not be loaded.");
  await page.getByLabelText("Username", { exact: true }).fill("ada");
  await expectCount(rows(), 1);
  await type("403", page.getByLabelText("Response Code", { exact: true }));
  await expect.poll(() => gateway.received(auditing.events).at(-1)?.query).toMatchObject({ username: "ada", responseCode: 403 });
  await expectCount(rows(), 1);
  for (const retry of ["Retry: Username", "Retry: Response Code"]) await filters.getByRole("button", { name: retry }).click();
  await expect.element(filters.getByRole("combobox", { name: "Username" })).toHaveValue("ada");
  await expect.element(filters.getByRole("combobox", { name: "Response Code" })).toHaveValue("403");
  await expectCount(rows(), 1);
});
