import type { Column } from "@fairway/contract/columns";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { validationMessage } from "@fairway/contract/validation-messages";

/** A dataset as its form edits it. It may hold fields that the form does not know, which are saved as they are. */
export type DatasetDraft = InternalDataset;

export type Path = readonly (string | number)[];

/** Why a dataset cannot be saved, by the rules of its type. */
export interface FormProblem {
  path: Path;
  message: string;
}

const shapeCodes: ReadonlySet<string> = new Set(["invalid_type", "invalid_union", "invalid_value"]);

/** Whether a body has the shape of a dataset, whatever its names and values are. */
export const isDatasetDraft = (body: unknown): body is DatasetDraft =>
  (internalDataset.safeParse(body).error?.issues ?? []).every(({ code }) => !shapeCodes.has(code));

/** Reasons for which the gateway would refuse the draft. */
export const problemsOf = (draft: DatasetDraft): FormProblem[] =>
  (internalDataset.safeParse(draft, { error: validationMessage }).error?.issues ?? []).map(({ path, message }) => ({
    path: path.map((step) => (typeof step === "number" ? step : String(step))),
    message,
  }));

export const pathKey = (path: Path): string => path.join(".");

/** The sections of the form, in order. */
export const sectionNames = {
  about: "About",
  files: "Files",
  columns: "Columns",
  place: "Time and place",
  filters: "Filters",
  links: "Links",
  lookups: "Lookups",
  computed: "Computed columns",
  access: "Access",
  sharing: "Sharing",
  advanced: "Advanced",
} as const;
export type SectionId = keyof typeof sectionNames;

const sectionOfField: Readonly<Record<string, SectionId>> = {
  id: "about",
  category: "about",
  description: "about",
  owner: "about",
  contact: "about",
  origin: "about",
  license: "about",
  updateRhythm: "about",
  tags: "about",
  source: "files",
  schema: "columns",
  temporalField: "place",
  locationField: "place",
  orderBy: "place",
  mapSupport: "place",
  mapView: "place",
  faMapIcon: "place",
  titleField: "place",
  subtitleField: "place",
  filterSupport: "filters",
  features: "filters",
  linkedDatasets: "links",
  lookups: "lookups",
  roles: "access",
};

/** The section that edits a field. */
export const sectionOf = ([field, , , part]: Path): SectionId =>
  part === "computed" ? "computed" : (sectionOfField[String(field)] ?? "advanced");

/** Where a problem is, in words: `Columns, dep_delay, label`. */
export function placeText({ path }: FormProblem, { schema }: DatasetDraft): string {
  const section: string = sectionNames[sectionOf(path)];
  if (path[0] === "schema" && typeof path[2] === "number") {
    return [section, schema.columns[path[2]]?.name ?? "", ...path.slice(3)].filter((part) => part !== "").join(", ");
  }
  const steps = path[0] === "filterSupport" || path[0] === "schema" ? path.slice(1) : path;
  return [section, ...steps.map((step) => (typeof step === "number" ? String(step + 1) : step))].join(", ");
}

/** Columns that hold values of their own. */
export const plainColumns = ({ schema }: DatasetDraft): Column[] => schema.columns.filter(({ combined }) => combined === null);
