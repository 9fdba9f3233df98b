import { describe, expect, it } from "vitest";
import { emptyFeedback, problemsOf } from "./feedback-rules.ts";

const valid = { ...emptyFeedback, type: "bug", comment: "It creaks." } as const;
const tides = { datasetCategory: "Coast", datasetId: "tides" };

describe("feedback", () => {
  it("[FEEDBACK-13] requires a type", () => {
    expect(problemsOf({ ...valid, type: "" })).toEqual({ type: "You must choose a feedback type" });
  });

  it("[FEEDBACK-14] requires a comment that is not blank", () => {
    expect(problemsOf({ ...valid, comment: " \n\t" })).toEqual({ comment: "Comment text is required to submit feedback" });
  });

  it("[FEEDBACK-15][FEEDBACK-16] requires a dataset for a data product request and for no other type", () => {
    expect(problemsOf({ ...valid, type: "data" })).toEqual({ datasets: "At least 1 Dataset must be selected" });
    expect(problemsOf({ ...valid, type: "data", datasets: [tides] })).toEqual({});
    for (const type of ["algorithm", "bug", "feedback"] as const) expect(problemsOf({ ...valid, type })).toEqual({});
  });
});
