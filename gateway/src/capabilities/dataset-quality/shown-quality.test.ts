import { expect, it } from "vitest";
import { qualityThresholdsOf } from "@fairway/contract/dataset-quality";
import { FigureView } from "#query/whole-figures.ts";
import { pick, randomNumbers } from "#testing/random-table.ts";
import { evaluateQuality, type Measurement, signatureOf } from "./evaluate-quality.ts";
import { qualityShownTo } from "./shown-quality.ts";

const names = ["a", "b", "c", "d"];
const thresholds = qualityThresholdsOf({ quality: { lateAfterHours: 24 } });

/** As quality is stored after the last of these measurements, which are oldest first. */
function stored(measurements: readonly Measurement[]) {
  let state: Parameters<typeof qualityShownTo>[0] = { issues: [], emptySince: {}, changes: [] };
  for (const [index, { measuredMs }] of measurements.entries()) {
    const { issues, emptySince } = evaluateQuality(measurements.slice(0, index + 1).toReversed(), thresholds, state);
    const isSame = signatureOf(issues) === signatureOf(state.issues);
    state = { issues, emptySince, changes: isSame ? state.changes : [{ changedMs: measuredMs, issues: [...issues] }, ...state.changes] };
  }
  return state;
}

it("quality without withheld columns is that of a dataset which never had them", () => {
  const random = randomNumbers(7);
  let differences = 0;
  for (let round = 0; round < 500; round++) {
    const measurements = Array.from({ length: 12 }, (_, index): Measurement => {
      const rows = pick(random, [0, 50, 100, 100]);
      const empty = Object.fromEntries(names.filter(() => random() < 0.9).map((name) => [name, pick(random, [0, rows, rows])]));
      return { measuredMs: (index + 10) * 86_400_000, rows, newestMs: (index + pick(random, [7, 10])) * 86_400_000, empty };
    });
    const shown = new Set(names.filter(() => random() < 0.5));
    const hasTimes = random() < 0.5;
    const cut = measurements.map(({ empty, newestMs, ...one }) => ({
      ...one,
      newestMs: hasTimes ? newestMs : null,
      empty: Object.fromEntries(Object.entries(empty).filter(([name]) => shown.has(name))),
    }));
    const whole = stored(measurements);
    const part = qualityShownTo(whole, FigureView.of("all", { columns: shown, hasTimes, hasPositions: true }));
    expect(part).toEqual(stored(cut));
    if (whole.changes.length > part.changes.length) differences++;
  }
  expect(differences).toBeGreaterThan(100);
});

it("of more empty columns than an earlier change lists, the listed ones are counted", () => {
  const columns = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, sinceMs: index }));
  const changes = [{ changedMs: 1, issues: [{ kind: "empty-columns" as const, sinceMs: 0, count: 30, columns }] }];
  const view = FigureView.of("all", { columns: new Set(["c3", "c7", "c25"]), hasTimes: true, hasPositions: true });
  const { changes: shown } = qualityShownTo({ issues: [], emptySince: {}, changes }, view);
  expect(shown[0]?.issues).toMatchObject([{ sinceMs: 3, count: 2, columns: [{ name: "c3" }, { name: "c7" }] }]);
});
