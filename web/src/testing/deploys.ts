import type { FlowDeployment } from "@fairway/contract/flow-deployments";
import { expect } from "vitest";
import { page } from "vitest/browser";
import "./css-locator.ts";
import { serveDeployments } from "./flow-deployments.ts";
import { requestAddress, serveFlowRequest } from "./flow-request.ts";
import { openScreen } from "./open-screen.tsx";
import { clickQuickly, untilFocusIsAround } from "./quick-fields.ts";

export const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
export const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

export async function openRequest(
  deployments: readonly FlowDeployment[] = [],
  { roles = ["admin"], status }: { roles?: string[]; status?: number } = {},
) {
  serveFlowRequest({ contents: ["first", "second", "third"], ...(status === undefined ? {} : { request: { status } }) });
  const served = serveDeployments(deployments);
  await openScreen(requestAddress, { roles });
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  return served;
}

export async function openDeployDialog(): Promise<void> {
  await clickQuickly(button("Actions"));
  await clickQuickly(page.getByRole("menuitem", { name: "Deploy" }));
  await expect.element(dialog("Deploy")).toBeVisible();
}

export async function choose(label: string, option: string): Promise<void> {
  const field = page.getByRole("dialog").getByRole("combobox", { name: label });
  await untilFocusIsAround(field);
  await clickQuickly(field);
  await clickQuickly(page.getByRole("listbox", { name: label }).getByRole("option", { name: option, exact: true }));
}
