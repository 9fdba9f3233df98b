import { datasets } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { feedback, type OwnFeedback } from "@fairway/contract/feedback";
import { notices } from "@fairway/contract/notices";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { focus } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const modal = () => page.getByRole("dialog", { name: "Submit Feedback" });
const button = (name: string) => modal().getByRole("button", { name, exact: true });
const type = () => modal().getByRole("combobox", { name: "Type" });
const comment = () => modal().getByRole("textbox", { name: "Comment" });
const formStatus = () => modal().css("[data-status]").first();
const dataset = (name: string) => modal().getByRole("checkbox", { name });

async function openFeedback(): Promise<void> {
  await openScreen("/notices");
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Submit Feedback" }).click();
  await expect.element(modal()).toBeVisible();
}

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(notices.list, []);
});

it("[SHELL-29][FEEDBACK-01][FEEDBACK-02][FEEDBACK-03][FEEDBACK-08][FEEDBACK-09][FEEDBACK-13][FEEDBACK-14][FEEDBACK-15][FEEDBACK-16][FEEDBACK-17][FEEDBACK-18] the form shows what is missing after the first attempt, and from then on at once", async () => {
  gateway.answer(favoriteDatasets.add, ({ body }) => {
    gateway.answer(favoriteDatasets.list, [body]);
    return body;
  });
  await openFeedback();
  const options = type().getByRole("option");
  await expectTexts(options, ["Choose a type", "Algorithm Request", "Bug", "Data Product Request", "Feedback"]);
  expect(options.elements().map((option) => (option as HTMLOptionElement).value)).toEqual(["", "algorithm", "bug", "data", "feedback"]);
  await expect.element(button("Cancel")).toBeVisible();
  await expect.element(button("Submit")).toBeVisible();
  await expect.element(formStatus().getByRole("button", { name: "Close", exact: true })).not.toBeInTheDocument();
  await expect.element(button("Add Attachment")).toBeVisible();
  await modal().getByRole("button", { name: "Favourite airports" }).click();
  await modal().getByRole("checkbox", { name: "Favourites only" }).click();
  await expect.element(dataset("airports")).toBeVisible();
  await expect.element(dataset("flights")).not.toBeInTheDocument();

  const hint = modal().getByText(/Include all columns that you expect, for each dataset/);
  const missing = {
    type: modal().getByText("You must choose a feedback type"),
    comment: modal().getByText("Comment text is required to submit feedback"),
    datasets: modal().getByText("At least 1 Dataset must be selected"),
  };
  await comment().fill("x");
  await comment().fill("  ");
  await expect.element(missing.comment).not.toBeInTheDocument();
  await button("Submit").click();
  await expect.element(missing.type).toBeVisible();
  await expect.element(missing.comment).toBeVisible();
  await expect.element(missing.datasets).not.toBeInTheDocument();
  await expect.element(hint).not.toBeInTheDocument();
  expect(gateway.received(feedback.create)).toEqual([]);
  await type().selectOptions("data");
  await expect.element(missing.type).not.toBeInTheDocument();
  await expect.element(missing.datasets).toBeVisible();
  await expect.element(hint).toBeVisible();
  await dataset("airports").click();
  await expect.element(missing.datasets).not.toBeInTheDocument();
  await comment().fill("All columns.");
  await expect.element(missing.comment).not.toBeInTheDocument();
  await dataset("airports").click();
  await type().selectOptions("bug");
  await expect.element(missing.datasets).not.toBeInTheDocument();
  await expect.element(hint).not.toBeInTheDocument();
  await expect.element(formStatus()).toHaveAttribute("data-status", "pending");
  await button("Cancel").click();
  await expect.element(modal()).not.toBeInTheDocument();
});

it("[FEEDBACK-11][FEEDBACK-33][FEEDBACK-34] any response other than 201 is a failure that leaves the form unchanged", async () => {
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const created: OwnFeedback = {
    id: "1",
    type: "bug",
    description: "It creaks.",
    datasets: [],
    attachments: [],
    status: "new",
    createdDateMs: 0,
    statusDateMs: null,
  };
  gateway.answer(feedback.create, created);
  gateway.answerText(feedback.create, JSON.stringify(created), { status: 200, times: 1 });
  gateway.refuse(feedback.create, "internal", "It broke.", { times: 1 });
  gateway.refuse(datasets.list, "internal", "It broke.", { times: 1 });
  await openFeedback();
  await expect.element(modal().getByRole("alert")).toHaveTextContent("Error loading datasets.");
  await button("Retry").click();
  await expect.element(dataset("airports")).toBeInTheDocument();
  await type().selectOptions("bug");
  await comment().fill("It creaks.");
  const failed = modal().getByText("An error occurred while submitting your feedback. Please try again.");
  for (const attempts of [1, 2]) {
    await button("Submit").click();
    await expect.poll(() => gateway.received(feedback.create).length).toBe(attempts);
    await expect.element(failed).toBeVisible();
    await expect.element(formStatus()).toHaveAttribute("data-status", "error");
    await expect.element(comment()).toHaveValue("It creaks.");
    await expect.element(type()).toHaveValue("bug");
    await focus(comment());
  }
  await button("Submit").click();
  await expect.element(modal().getByText(/Thank you/)).toBeVisible();
});
