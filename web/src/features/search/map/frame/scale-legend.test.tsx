import type { MapRowsView } from "@fairway/contract/map-view";
import { MantineProvider } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { theme } from "#ui/theme/theme.ts";
import { automaticRange, beyondOf, scaleOfView } from "#features/search/map/model/color-scale.ts";
import type { Quantity } from "#parts/map-look/rows-look.ts";
import { ScaleLegend } from "./scale-legend.tsx";

interface Shown {
  title?: string;
  values: readonly number[];
  quantity: Quantity;
  first?: MapRowsView;
}

const noView: MapRowsView = {};

/** As the map does it: a computed range is kept until it is to be computed again. */
function Example({ title = "Rows per cell", values, quantity, first = noView }: Shown) {
  const [view, setView] = useState<MapRowsView>(first);
  const [kept, setKept] = useState(() => automaticRange(values, quantity));
  const scale = scaleOfView({ ...view, ...(view.range === undefined && kept && { range: kept }) }, values, quantity);
  if (scale === null) return null;
  return (
    <>
      <ScaleLegend
        title={title}
        scale={scale}
        beyond={beyondOf(values, scale.range)}
        cellWidthM={137_900}
        settings={{
          view,
          quantity,
          values,
          onChange: (changed) => {
            setView((before) => ({ ...before, ...changed }));
            if (changed.range === undefined) setKept(automaticRange(values, quantity));
          },
        }}
      >
        Every row counts once.
      </ScaleLegend>
      <output>{JSON.stringify(view)}</output>
    </>
  );
}

function show(shown: ReactNode): void {
  const main = document.body.appendChild(document.createElement("main"));
  main.style.width = "264px";
  const root = createRoot(main);
  onTestFinished(() => {
    root.unmount();
    main.remove();
  });
  root.render(
    <MantineProvider theme={theme}>
      <h1>Map</h1>
      {shown}
    </MantineProvider>,
  );
}

const counts = Array.from({ length: 38 }, (_, index) => index + 1);
const ramp = () => page.getByRole("img");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const option = (name: string) => page.getByRole("radio", { name, exact: true });
/** Mantine hides the radio button itself. */
const press = (name: string) => page.getByText(name, { exact: true }).click();
const shownView = (): string => document.querySelector("output")?.textContent ?? "";
const numbersUnder = (): string[] =>
  Array.from(document.querySelectorAll("[aria-hidden] > span"), (span) => span.textContent).filter((text) => text !== "");

it("a legend names steps, numbers and the width of a cell", async () => {
  show(<Example values={counts} quantity="count" />);
  await expect.element(ramp()).toHaveAccessibleName("7 steps: 1, 2, 3 – 4, 5 – 7, 8 – 14, 15 – 24, 25 – 38");
  expect(numbersUnder()).toEqual(["1", "2", "3", "5", "8", "15", "25 – 38"]);
  await expect.element(page.getByText("A cell is about 138 km wide here. Every row counts once.")).toBeVisible();
  await expect.element(button("Log scale")).toBeVisible();
  expect(await axeViolations()).toEqual([]);
});

it("equal values are one swatch with the value", async () => {
  show(<Example values={[30, 30]} quantity="count" />);
  await expect.element(page.getByText("30", { exact: true })).toBeVisible();
  await expectCount(ramp(), 0);
});

it("scale and range are chosen with the keyboard, and the button says what is chosen", async () => {
  show(<Example values={counts} quantity="count" />);
  await expect.element(button("Log scale")).toBeVisible();
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await expect.element(option("Log")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(ramp()).toHaveAccessibleName("7 steps: 1 – 5, 6 – 11, 12 – 16, 17 – 22, 23 – 27, 28 – 33, 34 – 38");
  await userEvent.keyboard("{ArrowRight}{Escape}");
  await expect.element(button("Equal steps")).toHaveFocus();
  expect(shownView()).toBe('{"scale":"steps"}');
});

it("a typed range is checked, and its ends become arrows where values lie beyond", async () => {
  show(<Example values={counts} quantity="count" />);
  await button("Log scale").click();
  await press("Typed");
  await page.getByLabelText("Low").fill("ten");
  await expect.element(page.getByText("Enter a number.")).toBeVisible();
  await page.getByLabelText("Low").fill("40");
  await expect.element(page.getByText("Enter a number above the low end.")).toBeVisible();
  await page.getByLabelText("Low").fill("10");
  await page.getByLabelText("High").fill("16");
  await expect
    .element(ramp())
    .toHaveAccessibleName("7 steps: 10, 11, 12, 13, 14, 15, 16; lower values have the first color; higher values have the last color");
  expect(shownView()).toBe('{"range":{"low":10,"high":16,"isTyped":true}}');
  // A typed range is never replaced unasked.
  await expectCount(button("Rescale"), 0);
  await press("Automatic");
  await expect.element(ramp()).toHaveAccessibleName(/^7 steps: 1, 2,/);
  await press("Full");
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Full range")).toHaveFocus();
});

it("Rescale appears when more than 1% of the values lie beyond an end, and computes the range again", async () => {
  const first = { range: { low: 1, high: 7 } };
  show(<Example values={counts} quantity="count" first={first} />);
  await expect.element(ramp()).toHaveAccessibleName("7 steps: 1, 2, 3, 4, 5, 6, 7; higher values have the last color");
  await button("Rescale").click();
  await expectCount(button("Rescale"), 0);
  await expect.element(ramp()).toHaveAccessibleName(/25 – 38$/);
});

it("values on both sides of 0 can have colors around the middle", async () => {
  const values = Array.from({ length: 15 }, (_, index) => index - 7.5);
  show(<Example title="Average change, K" values={values} quantity="measure" />);
  await expect.element(ramp()).toBeVisible();
  await button("Linear scale").click();
  await expect.element(option("Log")).toBeDisabled();
  await press("Balance");
  expect(shownView()).toBe('{"palette":"balance"}');
  expect(document.querySelectorAll("[role=img] > i")).toHaveLength(7);
  expect((document.querySelector("[role=img] > i:nth-child(4)") as HTMLElement).style.background).toBe("var(--balance-4)");
});

it("the middle 98% of a measure is named, with arrows for the rest", async () => {
  const values = Array.from({ length: 200 }, (_, index) => index / 2);
  show(<Example title="Average wind, kt" values={values} quantity="measure" />);
  await expect.element(button("Middle 98%")).toBeVisible();
  expect(numbersUnder()).toHaveLength(7);
  await expect.element(ramp()).toHaveAccessibleName(/lower values have the first color; higher values have the last color$/);
});

it("long numbers leave out every second one, and times are shown at the ends only", async () => {
  const values = Array.from({ length: 300 }, (_, index) => 1_000 * (index + 1));
  const scale = scaleOfView({ scale: "linear" }, values, "count");
  const times = scaleOfView({}, [Date.UTC(2020, 0), Date.UTC(2021, 0)], "measure", { unitMs: 1 });
  if (scale === null || times === null) throw new Error("There are values.");
  const beyond = { below: 0, above: 0, count: 2 };
  show(
    <>
      <ScaleLegend form="strip" title="Rows per cell" scale={scale} beyond={beyond} cellWidthM={137_900} timeText="1975 to 1995" />
      <ScaleLegend
        title="Latest time"
        scale={times}
        beyond={beyond}
        textOf={(timeMs) => new Date(timeMs).toISOString().slice(0, 10)}
        missing="without a time"
      />
    </>,
  );
  await expect.element(page.getByText("Rows per cell, about 138 km wide, 1975 to 1995")).toBeVisible();
  expect(numbersUnder()).toEqual(["1", "85K", "172K", "258K – 300K", "2020-01-01", "2021-01-01"]);
  await expect.element(page.getByText("without a time")).toBeVisible();
});
