import { describe, expect, it } from "vitest";
import { emptyFeedback, problemsOf } from "./feedback-rules.ts";

const fine = { ...emptyFeedback, type: "bug", comment: "It creaks." } as const;
const tides = { datasetCategory: "Coast", datasetId: "tides" };

describe("feedback", () => {
  it("[FEEDBACK-13] needs a type", () => {
    expect(problemsOf({ ...fine, type: "" })).toEqual({ type: "You must choose a feedback type" });
  });

  it("[FEEDBACK-14] needs a comment that is more than blanks", () => {
    expect(problemsOf({ ...fine, comment: " \n\t" })).toEqual({ comment: "Comment text is required to submit feedback" });
  });

  it("[FEEDBACK-15][FEEDBACK-16] needs a dataset for a data product request, and for no other type", () => {
    expect(problemsOf({ ...fine, type: "data" })).toEqual({ datasets: "At least 1 Dataset must be selected" });
    expect(problemsOf({ ...fine, type: "data", datasets: [tides] })).toEqual({});
    for (const type of ["algorithm", "bug", "feedback"] as const) expect(problemsOf({ ...fine, type })).toEqual({});
  });
});
