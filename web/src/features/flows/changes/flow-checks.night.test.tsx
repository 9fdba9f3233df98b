import { flowDifferences } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openFlowPart } from "#testing/flow-differences.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { FlowChecksList } from "./flow-checks.tsx";
import { iterationProps, found, checks } from "#testing/flow-checks.ts";

it("says when nothing was found, and what failed", async () => {
  gateway.answer(flowDifferences.environments, []);
  gateway.refuse(flowDifferences.checks, "engine-busy", "Other flows are being read.");
  openFlowPart(<FlowChecksList {...iterationProps} />);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Other flows are being read.");
  gateway.answer(flowDifferences.checks, { checks: found.checks.slice(4), counts: { error: 0, warning: 0, info: 0 }, seenMs: null });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(checks.getByRole("status")).toHaveTextContent("No findings");
});
