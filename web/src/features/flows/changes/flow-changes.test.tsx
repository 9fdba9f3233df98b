import { flowDifferences } from "@fairway/contract/flow-differences";
import { useState } from "react";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { changesPage, fieldChange, flowComponent, openFlowPart } from "#testing/flow-differences.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import type { ComparisonProps } from "./comparison-props.ts";
import { FlowChanges } from "./flow-changes.tsx";

const iterationProps = { group: "weather", flowId: 7, iteration: { id: 12, number: 4 }, against: "accepted" } as const;
const open = (props: Partial<ComparisonProps> = {}) => openFlowPart(<FlowChanges {...iterationProps} {...props} />);

const fetchTrack = flowComponent("FetchBestTrack");
const split = flowComponent("SplitRecords", { groupPath: ["storm-ingest", "parse"] });
const parameter = flowComponent("bucket", { kind: "parameter", type: "", groupPath: ["storm"] });
const script = flowComponent("Clean up", { groupPath: ["storm-ingest", "parse"] });
const some = [
  fieldChange(fetchTrack, "Read Timeout", "15 secs", "60 secs"),
  fieldChange(fetchTrack, "Retry Count", null, "3"),
  {
    ...fieldChange(flowComponent("Publish"), "", null, null),
    kind: "added" as const,
    sentence: 'Processor "Publish" was added.',
    fields: [
      { field: "properties.Topic", label: "Topic", before: null, after: "storms", sensitive: false },
      { field: "properties.Password", label: "Password", before: null, after: null, sensitive: true },
    ],
  },
  {
    ...fieldChange(split, "name", "Split", "SplitRecords"),
    kind: "renamed" as const,
    sentence: 'Processor "Split" was renamed to "SplitRecords".',
  },
  fieldChange(script, "Script Body", "a = 1\nb = 2\nc = 3", "a = 1\nb = 20\nc = 3", {
    sentence: 'The Script Body of processor "Clean up" changed.',
  }),
  {
    ...fieldChange(parameter, "value", null, null),
    sentence: 'The value of parameter "bucket" changed.',
    fields: [{ field: "value", label: "value", before: null, after: null, sensitive: true }],
  },
];
const layout = fieldChange(fetchTrack, "position", "0, 0", "10, 20", {
  category: "layout",
  sentence: 'Processor "FetchBestTrack" was moved on the canvas.',
});

/** Answers as the gateway does: by category and page. */
function serve(changes: Parameters<typeof changesPage>[0]) {
  const all = changesPage(changes);
  gateway.answer(flowDifferences.changes, ({ query: { categories = ["behavior", "layout", "versions"], offset, limit } }) => {
    const wanted = changes.filter(({ category }) => categories.includes(category));
    return { ...all, changes: wanted.slice(offset, offset + limit), total: wanted.length } as typeof all;
  });
}

const list = page.getByRole("region", { name: "List of changes" });
const card = (name: string) => list.getByRole("region", { name });

it("shows the changes of each component as sentences, by process group, with marks that are words", async () => {
  serve([...some, layout]);
  open();
  const changed = card("Processor FetchBestTrack");
  await expect.element(changed.getByText('The Read Timeout of processor "FetchBestTrack" changed from 15 secs to 60 secs.')).toBeVisible();
  expect(changed.element().querySelector("del")?.textContent).toBe("15 secs");
  expect(changed.element().querySelector("ins")?.textContent).toBe("60 secs");
  await expect.element(changed).toHaveTextContent("2 changes");
  expect([...list.element().querySelectorAll("h3")].map(({ textContent }) => textContent)).toEqual([
    "storm-ingest",
    "storm-ingest / parse",
    "Parameter context storm",
  ]);
  await expect.element(card("Processor Publish")).toHaveTextContent(/^Added/);
  await expect.element(card("Processor SplitRecords")).toHaveTextContent(/^Renamed/);
  await expect.element(page.getByRole("status").filter({ hasText: "6 changes" })).toBeVisible();
  expect(gateway.received(flowDifferences.changes)[0]).toMatchObject({
    params: { group: "weather", flowId: 7 },
    query: { iterationId: 12, against: "accepted", categories: ["behavior"], offset: 0 },
  });
  await expectAccessible();
});

it("shows settings of an added component on wish, and of sensitive values only that they are there", async () => {
  serve(some);
  open();
  const added = card("Processor Publish");
  await added.getByRole("button", { name: "Show 2 settings" }).click();
  await expect.element(added.getByText("storms")).toBeVisible();
  await expect.element(added.getByText("sensitive, not shown")).toBeVisible();
  await expect.element(card("Parameter bucket").getByText("value: changed. Sensitive values are not shown.")).toBeVisible();
});

it("folds long values, and compares them line by line when they are opened", async () => {
  serve(some);
  open();
  const changed = card("Processor Clean up");
  await expect.element(changed).not.toHaveTextContent("b = 20");
  const unfold = changed.getByRole("button", { name: "Show the difference of Script Body" });
  await unfold.click();
  await expect.element(changed.getByText("b = 20")).toBeVisible();
  await changed.getByRole("button", { name: "Hide the difference of Script Body" }).click();
  await expect.element(changed).not.toHaveTextContent("b = 20");
});

it("hides changes of layout and versions until they are wanted", async () => {
  serve([...some, layout]);
  open();
  await expect.element(card("Processor Publish")).toBeVisible();
  await expect.element(page.getByText("was moved on the canvas")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Layout 1" }).click();
  await expect.element(card("Processor FetchBestTrack").getByText("was moved on the canvas")).toBeVisible();
  await expect.element(page.getByRole("status").filter({ hasText: "7 changes" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Versions 0" })).toHaveAttribute("aria-pressed", "false");
});

it("says when only the layout changed, and when nothing did", async () => {
  serve([layout]);
  open();
  await expect.element(page.getByText("No changes in behavior")).toBeVisible();
  await page.getByRole("button", { name: "Layout 1" }).click();
  await expect.element(card("Processor FetchBestTrack")).toBeVisible();
  serve([]);
  open({ iteration: { id: 13, number: 5 } });
  await expect.element(page.getByText("Both flows are the same.")).toBeVisible();
});

it("finds changes by component, value and process group, and clears the filter with Escape", async () => {
  serve(some);
  open();
  const filter = page.getByRole("textbox", { name: "Filter changes" });
  await filter.fill("parse 20");
  await expect.element(page.getByRole("status").filter({ hasText: "1 of 6 changes" })).toBeVisible();
  await expect.element(card("Processor Clean up")).toBeVisible();
  await expect.element(card("Processor Publish")).not.toBeInTheDocument();
  await filter.fill("nothing of the kind");
  await expect.element(page.getByText("No change matches the filter.")).toBeVisible();
  await press("Escape", filter);
  await expect.element(card("Processor Publish")).toBeVisible();
});

it("goes to the next and the previous of thousands of changes by keyboard, and renders only some of them", async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => {
    const component = flowComponent(`P${index}`, { groupPath: ["storm-ingest", `g${Math.floor(index / 100)}`] });
    return fieldChange(component, "Batch Size", String(index), String(index + 1));
  });
  serve(many);
  open();
  await expect.element(page.getByRole("status").filter({ hasText: "1,200 changes" })).toBeVisible();
  expect(gateway.received(flowDifferences.changes).map(({ query }) => query.offset)).toEqual([0, 500, 1_000]);
  expect(list.element().querySelectorAll("[data-change]").length).toBeLessThan(60);
  await press("n", list);
  await expect.poll(() => document.activeElement?.textContent).toContain('"P0" changed from 0 to 1');
  await press("p");
  await expect.poll(() => document.activeElement?.textContent).toContain('"P1199" changed from 1199 to 1200');
  await expect.element(page.getByText("1,200 of 1,200 changes")).toBeVisible();
  await press("Alt+ArrowUp");
  await expect.poll(() => document.activeElement?.textContent).toContain('"P1198"');
  const focused = document.activeElement?.getBoundingClientRect();
  const shown = list.element().getBoundingClientRect();
  expect(focused?.bottom).toBeLessThanOrEqual(shown.bottom + 1);
  await page.getByRole("button", { name: "Next change (N)" }).click();
  await expect.poll(() => document.activeElement?.textContent).toContain('"P1199"');
});

it("comments on a component, shows its threads, and typing there moves nothing", async () => {
  serve(some);
  const commented: unknown[] = [];
  open({
    onComment: (component) => commented.push(component),
    threads: ({ id }) => id === fetchTrack.id && <textarea aria-label="Reply" />,
  });
  await card("Processor FetchBestTrack").getByRole("button", { name: "Comment on FetchBestTrack" }).click();
  expect(commented).toEqual([{ id: "id-FetchBestTrack", name: "FetchBestTrack" }]);
  const reply = card("Processor FetchBestTrack").getByRole("textbox", { name: "Reply" });
  await press("n", reply);
  await expect.element(reply).toHaveValue("n");
  await expect.element(reply).toHaveFocus();
});

it("shows the component that a comment leads to, also if a filter hid it", async () => {
  serve(some);
  function Page() {
    const [target, setTarget] = useState<ComparisonProps["target"]>();
    return (
      <>
        <button type="button" onClick={() => setTarget({ componentId: split.id })}>
          Go to SplitRecords
        </button>
        <FlowChanges {...iterationProps} target={target} />
      </>
    );
  }
  openFlowPart(<Page />);
  await page.getByRole("textbox", { name: "Filter changes" }).fill("bucket");
  await expect.element(card("Processor SplitRecords")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Go to SplitRecords" }).click();
  await expect.poll(() => document.activeElement?.textContent).toContain('renamed to "SplitRecords"');
});

it("says that a content cannot be compared, that nothing was accepted yet, and what failed", async () => {
  gateway.answer(flowDifferences.changes, { outcome: "not-comparable", against: null, sentence: "YAML is only compared as text." });
  open();
  await expect.element(page.getByText("YAML is only compared as text.")).toBeVisible();
  gateway.answer(flowDifferences.changes, changesPage(some, { against: null }));
  open({ iteration: { id: 13, number: 5 } });
  await expect.element(page.getByText("There's nothing to compare with, so everything in the flow is added.")).toBeVisible();
  gateway.refuse(flowDifferences.changes, "too-many-requests", "Too many comparisons at once.", { times: 1 });
  open({ iteration: { id: 14, number: 6 } });
  await expect.element(page.getByRole("alert")).toHaveTextContent("Too many comparisons at once.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(card("Processor Publish")).toBeVisible();
});

it("fits a phone", async () => {
  await page.viewport(390, 844);
  serve([...some, fieldChange(flowComponent("x".repeat(190)), "Remote URL", "y".repeat(150), "z".repeat(150))]);
  open();
  await expect.element(card("Processor Publish")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(list.element().scrollWidth).toBeLessThanOrEqual(list.element().clientWidth);
});
