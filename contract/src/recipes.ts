import type { EntityBody } from "./administration.ts";
import type { AlertDraft } from "./alerts.ts";
import type { BoardDraft } from "./boards.ts";
import type { DatasetRef } from "./datasets.ts";
import type { Fileset } from "./entity-schemas.ts";
import type { ExternalDataset } from "./external-datasets.ts";
import type { InternalDataset } from "./internal-datasets.ts";

/** Content of an empty portal, described as data. */
export interface PlatformRecipe {
  readonly categories: readonly CategoryRecipe[];
  readonly datasets: readonly DatasetRecipe[];
  readonly filesets: readonly FilesetRecipe[];
  readonly docs: readonly DocRecipe[];
  readonly flowGroups: readonly FlowGroupRecipe[];
  readonly flowEnvironments: readonly EntityBody<"flowEnvironments">[];
  readonly boards: readonly BoardRecipe[];
  readonly alerts: readonly AlertRecipe[];
  /** Start the platform's own services. */
  readonly upstreams: readonly (() => Promise<Upstream>)[];
}

export interface CategoryRecipe {
  readonly id: string;
  readonly description: string;
}

/** Absolute paths, keyed by the name used in the SQL. */
export type Sources = Readonly<Record<string, string>>;

/** A dataset, and how its single Parquet file is built. */
export interface DatasetRecipe {
  /** Its source is one Parquet file below the datasets folder, such as `{folder}/{dataset id}/*.parquet`. */
  readonly entity: InternalDataset;
  readonly sources: Sources;
  /**
   * One DuckDB SELECT; `{name}` stands for the quoted path of a source. Returns the plain columns in schema order and the rows
   * in the dataset's order, which is how they are stored.
   */
  readonly select: string;
}

/** A fileset, and how its files are made. */
export interface FilesetRecipe {
  readonly entity: Fileset;
  readonly sources: Sources;
  /**
   * DuckDB SELECTs that return one row for each file: `path` in the fileset, `content` as text, `modified` (a timestamp in UTC)
   * and `tags` as the text of a JSON object. `{name}` stands for the quoted path of a source.
   */
  readonly selects: readonly string[];
  /** Files that are copied as they are. */
  readonly copies: readonly FileCopy[];
}

export interface FileCopy {
  /** Path in the fileset. */
  readonly path: string;
  /** Absolute path of the file to copy. */
  readonly from: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A doc and the files that it starts with. */
export interface DocRecipe {
  readonly entity: EntityBody<"docs">;
  /** Absolute paths, keyed by the name of the file in the store, such as `object` or `captions.vtt`. */
  readonly files: Readonly<Record<string, string>>;
}

export interface BoardRecipe {
  readonly id: string;
  /** Username. */
  readonly owner: string;
  readonly board: BoardDraft;
}

/** An alert with the saved search that it watches. */
export interface AlertRecipe {
  /** Of the alert and of its saved search. */
  readonly id: string;
  /** Username. */
  readonly owner: string;
  /** `query` is JSON, see `SavedQuery`. */
  readonly savedSearch: DatasetRef & { readonly queryName: string; readonly description: string; readonly query: string };
  readonly alert: Omit<AlertDraft, "savedSearchId">;
}

/** A group and its flows with their requests. */
export interface FlowGroupRecipe {
  readonly entity: EntityBody<"flowGroups">;
  readonly flows: readonly FlowRecipe[];
}

export interface FlowRecipe {
  readonly name: string;
  /** By creation time; at least one. */
  readonly requests: readonly FlowRequestRecipe[];
}

export interface FlowRequestRecipe {
  readonly name: string;
  readonly reason?: string;
  /** In order of time. Begins with an iteration, whose author creates the request. */
  readonly steps: readonly FlowStep[];
  /** When each step happened, in minutes before the seeding. */
  readonly minutesAgo: readonly number[];
}

/** One step in the life of a request. `by` is a username. */
type FlowStep =
  | { readonly kind: "iteration"; readonly by: string; readonly content: string; readonly reason?: string }
  /** `line`: what a single line of the last iteration contains; the comment is about that line. */
  | { readonly kind: "comment"; readonly by: string; readonly text: string; readonly line?: string }
  | { readonly kind: "submit" | "accept" | "reject" | "abandon" | "review"; readonly by: string };

/** A local service that runs as long as its gateway, with the external dataset that calls it. */
export interface Upstream {
  readonly entity: ExternalDataset;
  close(): Promise<void>;
}
