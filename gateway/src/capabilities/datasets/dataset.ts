import type { ReaderAccess } from "@fairway/contract/dataset-access";
import type { FieldFilter } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { Stored } from "#entities/store.ts";
import type { Sharing } from "#sharing/access.ts";
import type { OwnDatasetRecord } from "#own-data/own-datasets.ts";
import type { ErrorItem } from "@fairway/contract/errors";
import type { DatasetSource, DerivedStep } from "#query/engine.ts";
import type { Scope } from "#query/scope.ts";

/** An internal or external dataset. */
export interface Dataset extends Omit<InternalDataset, "source"> {
  readonly source: DatasetSource;
  /** Filters of an upstream, which need not be columns; null if filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  /** Changes whenever its entity is saved. */
  readonly revision: string;
  /** Of a dataset that a user has brought, who may read it: `roles` say nothing then. Null of all others. */
  readonly own: OwnMark | null;
}

export interface OwnMark extends Sharing, Pick<OwnDatasetRecord, "id" | "title" | "ownerName" | "dataVersion"> {}

/** Why columns cannot be made. `path` is within the dataset, or the search. */
export type DerivedProblem = ErrorItem & { readonly path: string };

/** The part of a dataset that its rules leave to the reader. */
export interface ReadersPart extends Omit<ReaderAccess, "version"> {
  /** Whether the reader is told of it. */
  readonly isTold: boolean;
}

/** The dataset as a reader has it. Nothing else of it leaves this folder, but for the portal's own work. */
export interface DatasetView extends Omit<Dataset, "access"> {
  /** The rows and columns that are read of its source. */
  readonly scope: Scope;
  /** Null for a dataset without rules, and for the portal's own work. */
  readonly part: ReadersPart | null;
  /** Names of the dataset's columns that the reader does not have by its rules, also of those that are made of withheld ones. */
  readonly withheld: ReadonlySet<string>;
  /** Changes with the rows and columns that the reader has of it and of what it looks up. `whole` for all; it never leaves the gateway. */
  readonly key: string;
  /** How those of its columns are made that the source does not hold. */
  readonly derived?: readonly DerivedStep[];
  /** Why some of its columns cannot be made. They are not among the columns. */
  readonly problems: readonly DerivedProblem[];
}

export const internalDataset = ({ body, ...saved }: Pick<Stored<InternalDataset>, "body" | "version" | "updatedAt">): Dataset => ({
  ...body,
  parameters: null,
  revision: revisionOf(saved),
  own: null,
});

export const ownDataset = ({ settings, category, name, source, revision, ...own }: OwnDatasetRecord): Dataset => ({
  ...settings,
  category,
  id: name,
  roles: [],
  source,
  parameters: null,
  revision,
  own,
});

export const revisionOf = ({ version, updatedAt }: Pick<Stored<object>, "version" | "updatedAt">): string =>
  `${version}.${updatedAt.getTime()}`;
