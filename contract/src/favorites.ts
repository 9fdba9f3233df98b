import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";

export const favoriteDatasets = {
  list: route({
    method: "GET",
    path: "/favorite/datasets",
    access: "signed-in",
    summary: "The user's favorite datasets.",
    response: z.array(datasetRef),
  }),
  add: route({
    method: "POST",
    path: "/favorite/datasets",
    access: "signed-in",
    summary: "Mark a dataset as a favorite; marking it twice changes nothing.",
    body: datasetRef,
    response: datasetRef,
    status: 201,
  }),
  remove: route({
    method: "DELETE",
    path: "/favorite/datasets",
    access: "signed-in",
    summary: "Unmark a favorite; unmarking an unmarked one changes nothing.",
    body: datasetRef,
    response: z.undefined(),
  }),
};
