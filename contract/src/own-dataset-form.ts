import { z } from "zod";
import { type OwnDatasetSettings, ownDatasetSettings } from "./internal-datasets.ts";
import { ownDataset, ownDatasetTitle } from "./own-datasets.ts";
import { route } from "./route.ts";

// Apart from the other calls, as screens that only list own datasets would load the schema of all settings.

/** As the gateway has them: a web app of another version takes fields and values that it does not know, too. */
const shownSettings = z.custom<OwnDatasetSettings>((settings) => typeof settings === "object" && settings !== null);

/** With all settings, for those who may edit it. `version` is that of the settings. */
const editableOwnDataset = ownDataset.extend({ settings: shownSettings, version: z.int() }).meta({ id: "EditableOwnDataset" });
export type EditableOwnDataset = z.infer<typeof editableOwnDataset>;

const params = z.object({ id: z.string() });

export const ownDatasetForm = {
  one: route({
    method: "GET",
    path: "/ownDatasets/:id",
    access: "signed-in",
    summary: "An own dataset with its settings, for its owner and those who may edit it.",
    params,
    response: editableOwnDataset,
  }),
  save: route({
    method: "PUT",
    path: "/ownDatasets/:id",
    access: "signed-in",
    summary: "Saves the settings. Refused with `stale-version` and the stored ones if they have changed since.",
    params,
    body: z.object({ version: z.int(), title: ownDatasetTitle.nullish(), settings: ownDatasetSettings }),
    response: editableOwnDataset,
    audit: "security",
  }),
};
