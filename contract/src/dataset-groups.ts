import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { nameProblems, normalName, storableText, storedName } from "./text.ts";

export const datasetGroupLimits = { nameCharacters: 100, descriptionCharacters: 1_000, datasets: 25, perUser: 200 } as const;

/** The problem with a group's name; null if valid. Checked after trimming: the name is the group's key and part of a path. */
export function groupNameProblem(name: string): string | null {
  const trimmed = normalName(name);
  if (trimmed === "") return "is blank";
  if (trimmed.length > datasetGroupLimits.nameCharacters) return `is longer than ${datasetGroupLimits.nameCharacters} characters`;
  // Browsers normalize paths that end in them, so such a group could never be deleted.
  if (trimmed === "." || trimmed === "..") return "cannot consist only of dots";
  return nameProblems(trimmed)[0] ?? null;
}

const groupName = z
  .string()
  .trim()
  .normalize("NFC")
  .superRefine((name, context) => {
    const problem = groupNameProblem(name);
    if (problem !== null) context.addIssue({ code: "custom", message: `The name ${problem}.` });
  });

export const datasetGroup = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    userId: z.string(),
    /** May include datasets that the user can no longer reach: such a group is kept, but cannot be searched. */
    datasets: z.array(datasetRef),
  })
  .meta({ id: "DatasetGroup" });
export type DatasetGroup = z.infer<typeof datasetGroup>;

/** A group as its user creates it. Duplicate datasets count once. */
export const datasetGroupDraft = z
  .object({
    name: groupName,
    datasets: z.array(datasetRef).max(datasetGroupLimits.datasets),
    description: storableText.trim().max(datasetGroupLimits.descriptionCharacters).default(""),
  })
  .meta({ id: "DatasetGroupDraft" });
const datasetGroupChange = datasetGroupDraft.extend({ name: storedName }).meta({ id: "DatasetGroupChange" });
export type DatasetGroupDraft = z.infer<typeof datasetGroupDraft>;

export const datasetGroups = {
  list: route({
    method: "GET",
    path: "/datasetGroupings",
    access: "signed-in",
    summary: "The user's own dataset groups, by name.",
    response: z.array(datasetGroup),
  }),
  create: route({
    method: "POST",
    path: "/datasetGroupings",
    access: "signed-in",
    summary:
      "Create a dataset group. 400 unless it has at least 2 datasets, all within the user's reach and each with a required field " +
      "to search on (requiredOrFields or a required static filter); 409 when the user has a group of that name in any case.",
    body: datasetGroupDraft,
    response: datasetGroup,
    status: 201,
  }),
  edit: route({
    method: "PUT",
    path: "/datasetGroupings",
    access: "signed-in",
    summary: "Change datasets and description of the user's group with this name, by the rules of a new one; the name stays.",
    body: datasetGroupChange,
    response: datasetGroup,
  }),
  remove: route({
    method: "DELETE",
    path: "/datasetGroupings/:name",
    access: "signed-in",
    summary: "Delete the user's group with this name.",
    params: z.object({ name: z.string() }),
    response: z.undefined(),
  }),
};
