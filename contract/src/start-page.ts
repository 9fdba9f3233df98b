import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";

/** The graph that a question opens: one column of values by day or hour. */
export const questionGraph = z.strictObject({
  title: z.string().min(1).max(200),
  type: z.enum(["bar", "line"]).default("bar"),
  by: z.enum(["day", "hour"]).default("day"),
});

/** A search worth opening, with the words that make one curious. */
export const startQuestion = z
  .object({
    title: z.string(),
    dataset: datasetRef,
    /** The part of the search's address after `#`. */
    search: z.string(),
    graph: questionGraph.nullable(),
  })
  .meta({ id: "StartQuestion" });
export type StartQuestion = z.infer<typeof startQuestion>;

export const startPage = {
  read: route({
    method: "GET",
    path: "/startPage",
    access: "signed-in",
    summary: "The operator's line and ready questions for the first screen; questions on datasets that the user may not read are left out.",
    response: z
      .object({
        /** Empty: the web app's own line. */
        line: z.string(),
        questions: z.array(startQuestion),
      })
      .meta({ id: "StartPage" }),
  }),
};
