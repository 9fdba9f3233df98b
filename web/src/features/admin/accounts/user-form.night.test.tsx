import { userAdministration } from "@fairway/contract/accounts";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, rowOf, serveEntities } from "#testing/entities.ts";
import { gateway, uiConfig } from "#testing/open-screen.tsx";

const field = (name: string) => dialog().getByRole("textbox", { name, exact: true });
const open = (): Promise<void> => openAdmin("/user-settings", "Users");
const grace = { id: "u-1", username: "grace", email: "grace@fairway.example", groups: [{ name: "staff" }] };

beforeEach(() => {
  serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  serveEntities("roles");
});

it("with a provider, the list marks what it gives, and a user can be linked by the subject and unlinked", async () => {
  gateway.answer(settings.ui, { ...uiConfig, oidc: { displayName: "Harbour ID" } });
  const named = (name: string) => [{ id: name, name }];
  const provider = { madeAccount: false, groups: named("crew"), roles: named("editor") };
  const { routes } = serveEntities("users");
  const unlinked = { ...grace, version: 1 };
  gateway.answer(routes.list, [unlinked]);
  gateway.answer(userAdministration.providerLink, null);
  await open();
  await chooseInRow("grace", "Provider Link");
  await expect.element(field("Subject")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await field("Subject").fill(" sub-1 ");
  gateway.refuse(userAdministration.linkProvider, "conflict", "This person at Harbour ID is linked to the user 'ada'.", { times: 1 });
  const question = page.getByRole("dialog", { name: "Link grace?" });
  const link = async () => {
    await dialogButton("Link").click();
    await question.getByRole("button", { name: "Link", exact: true }).click();
  };
  await link();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Not LinkedThis person at Harbour ID is linked to the user 'ada'.");
  const stored = { issuer: "https://login.example.org", subject: "sub-1", linkedTimestamp: "2026-05-01T00:00:00.000Z", madeAccount: false };
  gateway.answer(userAdministration.linkProvider, stored);
  gateway.answer(routes.list, [{ ...unlinked, provider }]);
  await link();
  await expect.element(dialog().getByText("sub-1", { exact: true })).toBeVisible();
  await expect.element(dialog().getByText("https://login.example.org")).toBeVisible();
  expect(gateway.received(userAdministration.linkProvider).map(({ body }) => body)).toEqual([{ subject: "sub-1" }, { subject: "sub-1" }]);
  await expect.element(rowOf("grace")).toHaveTextContent("staff, crew (provider)");
  await expect.element(rowOf("grace")).toHaveTextContent("editor (provider)");
  await expect.element(rowOf("grace")).toHaveTextContent("linked");

  gateway.answer(userAdministration.unlinkProvider, undefined);
  gateway.answer(routes.list, [unlinked]);
  await dialogButton("Unlink").click();
  await page.getByRole("dialog", { name: "Unlink grace?" }).getByRole("button", { name: "Unlink", exact: true }).click();
  await expect.element(field("Subject")).toBeVisible();
  await expect.element(rowOf("grace")).not.toHaveTextContent("provider");
});
