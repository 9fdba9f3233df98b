import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { itemList, prepareAddressedMaps, itemRow, serveLimits, mapLink, openMap } from "#testing/maps.ts";
import { openScreen } from "#testing/open-screen.tsx";

const jeanne = "2004-09";

beforeEach(prepareAddressedMaps);

it("[MAP-27][MAP-29] ignores an invalid view and unknown items of an address; the stale hours are configurable", async () => {
  serveLimits({ staleWarningHours: 24 * 40, staleErrorHours: 24 * 100 });
  await openScreen(mapLink({ v: [200, 0, 4], p: [jeanne] }));
  await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  await expect.element(itemList().getByRole("checkbox", { checked: true })).not.toBeInTheDocument();
  await expectCount(itemList().getByRole("checkbox", { checked: false }), 13);
  await openMap({ s: "1999-01", p: ["1999-01"] });
  await expect.element(page.getByRole("region", { name: /^Details of/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  const legend = page.getByRole("group", { name: "Colors" });
  await expect.element(legend).toHaveTextContent("within 960 h");
  await expect.element(legend).toHaveTextContent("960 h to 2400 h");
  await expect.element(itemRow("Otto").css("i")).toHaveAttribute("data-stale", "fresh");
  await expect.element(itemRow("Ivan")).toHaveTextContent(", stale");
  await expect.element(itemRow("Alex")).toHaveTextContent(", very stale");
});
