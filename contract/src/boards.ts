import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { mapRowsView } from "./map-view.ts";
import { route } from "./route.ts";
import { savedArea, savedName, savedQuery, savedRange, sharedRoles } from "./saved-searches.ts";
import { aggregationType } from "./search.ts";
import { newOwner, newShares, ownerState, ownOrShared, share, shareDrafts } from "./sharing.ts";
import { prose, storableText } from "./text.ts";
import { recordOf } from "./records.ts";

export const boardLimits = {
  descriptionCharacters: 1_000,
  titleCharacters: 200,
  textCharacters: 20_000,
  /** Of all panels of one board as JSON. */
  contentCharacters: 500_000,
  panels: 50,
  perUser: 200,
  /** Older ones are dropped. */
  revisions: 50,
  columns: 12,
  /** Of one panel, and of the whole board. */
  panelRows: 40,
  rows: 2_000,
  refreshMinutes: 1_440,
} as const;

/** Position of a panel on the grid of 12 columns, in columns and rows from the upper left corner. */
export const panelPosition = z
  .object({
    x: z
      .int()
      .min(0)
      .max(boardLimits.columns - 1),
    y: z.int().min(0).max(boardLimits.rows),
    w: z.int().min(1).max(boardLimits.columns),
    h: z.int().min(1).max(boardLimits.panelRows),
  })
  .refine(({ x, w }) => x + w <= boardLimits.columns, "is wider than the board")
  .meta({ id: "PanelPlace" });
export type PanelPosition = z.infer<typeof panelPosition>;

const title = storableText.trim().max(boardLimits.titleCharacters);
/** The search of a panel: a copy, so that the board stays as it is when the search that it came from changes. */
const searched = { title, dataset: datasetRef, query: savedQuery };

const mapViewpoint = z.object({ lng: z.number().min(-180).max(180), lat: z.number().min(-90).max(90), zoom: z.number().min(0).max(24) });

const markColumn = z.string().min(1).max(1_000);

const panelContents = {
  text: z.object({ kind: z.literal("text"), title, text: prose(boardLimits.textCharacters) }),
  number: z.object({
    kind: z.literal("number"),
    ...searched,
    /** `*` for a count of rows. */
    value: z.object({ aggregation: aggregationType, column: z.string().min(1).max(1_000) }),
  }),
  /** `graph` is an object that only the web app's graphs interpret. */
  graph: z.object({ kind: z.literal("graph"), ...searched, graph: recordOf(z.string(), z.unknown()) }),
  table: z.object({ kind: z.literal("table"), ...searched }),
  map: z.object({
    kind: z.literal("map"),
    ...searched,
    /** The columns that color and size the markers; without them, the markers are colored by age and have one size. */
    colorBy: markColumn.optional(),
    sizeBy: markColumn.optional(),
    /** The newest row of each item, by default, or all rows counted by place. */
    show: z.enum(["items", "rows"]).optional(),
    /** Whether the thinned tracks of the items are drawn. */
    tracks: z.boolean().optional(),
    /** How all rows are colored. */
    rows: mapRowsView.optional(),
    /** The middle of the map and its zoom; without it, the map fits what it shows. */
    view: mapViewpoint.optional(),
  }),
};

const panelContent = z.discriminatedUnion("kind", [
  panelContents.text,
  panelContents.number,
  panelContents.graph,
  panelContents.table,
  panelContents.map,
]);
export type PanelContent = z.infer<typeof panelContent>;

const placed = { id: z.string().min(1).max(100), place: panelPosition };
/** In place of a panel whose dataset the reader may not read. Sent back, it stands for the panel that is stored. */
const hiddenPanel = z.object({
  kind: z.literal("hidden"),
  ...placed,
  /** Of an own dataset, which does not exist for the reader. */
  isGone: z.literal(true).optional(),
});

export const boardPanel = z
  .discriminatedUnion("kind", [
    panelContents.text.extend(placed),
    panelContents.number.extend(placed),
    panelContents.graph.extend(placed),
    panelContents.table.extend(placed),
    panelContents.map.extend(placed),
    hiddenPanel,
  ])
  .meta({ id: "BoardPanel" });
export type BoardPanel = z.infer<typeof boardPanel>;

const panels = z.array(boardPanel).max(boardLimits.panels);

/** Filters shared by all panels: time range and area narrow those whose datasets support them. */
const boardContent = z
  .object({
    timeRange: savedRange.optional(),
    geospatial: savedArea.optional(),
    /** While the board is visible, its panels are loaded again after so many minutes; null: only when asked. */
    refreshMinutes: z.int().min(1).max(boardLimits.refreshMinutes).nullable().default(null),
    panels: panels.default([]),
  })
  .meta({ id: "BoardContent" });
export type BoardContent = z.infer<typeof boardContent>;

const boardContentDraft = boardContent
  .extend({
    panels: panels.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "has two panels with the same id").default([]),
  })
  .meta({ id: "BoardContentDraft" });

const description = storableText.trim().max(boardLimits.descriptionCharacters);

const boardSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    /** Username; empty if the account has been deleted. */
    owner: z.string(),
    ownerState,
    isOwn: z.boolean(),
    can: ownOrShared,
    /** All for its owner, otherwise those that reach the caller. None for an API key. */
    shares: z.array(share),
    /** `*`: everyone. For others than the owner, only roles that they hold. */
    sharedWithRoles: z.array(z.string()),
    panels: z.int(),
    /** Counts the saves, from 1. */
    version: z.int(),
    createdDateMs: z.number(),
    updatedDateMs: z.number(),
  })
  .meta({ id: "BoardSummary" });
export type BoardSummary = z.infer<typeof boardSummary>;

const board = boardSummary.extend({ content: boardContent }).meta({ id: "Board" });
export type Board = z.infer<typeof board>;

export const boardDraft = z
  .object({
    name: savedName,
    description: description.default(""),
    shares: shareDrafts.default([]),
    /** Further roles, as clients write them that know only roles. */
    sharedWithRoles: sharedRoles.default([]),
    content: boardContentDraft,
  })
  .meta({ id: "BoardDraft" });
export type BoardDraft = z.input<typeof boardDraft>;

const boardChange = z
  .object({
    name: savedName.optional(),
    description: description.optional(),
    sharedWithRoles: sharedRoles.optional(),
    content: boardContentDraft.optional(),
    /** The version that was changed. */
    version: z.int().min(1),
  })
  .meta({ id: "BoardChange" });

const boardRevision = z
  .object({ version: z.int(), savedDateMs: z.number(), name: z.string(), panels: z.int() })
  .meta({ id: "BoardRevision" });
export type BoardRevision = z.infer<typeof boardRevision>;

const params = z.object({ id: z.string().max(100) });
const bodyLimit = 2_097_152;

export const boards = {
  list: route({
    method: "GET",
    path: "/boards",
    access: "signed-in",
    summary: "The user's own boards, and those that are shared with the user, by name.",
    response: z.array(boardSummary),
    apiKey: true,
  }),
  read: route({
    method: "GET",
    path: "/boards/:id",
    access: "signed-in",
    summary: "A board with its panels; panels of datasets that the user may not read are hidden.",
    params,
    response: board,
    apiKey: true,
  }),
  create: route({
    method: "POST",
    path: "/boards",
    access: "signed-in",
    summary: "Save a new board. 409 when the user has one of that name, in any case.",
    body: boardDraft,
    bodyLimit,
    response: board,
    status: 201,
    audit: "security",
  }),
  edit: route({
    method: "PUT",
    path: "/boards/:id",
    access: "signed-in",
    summary:
      "Change a board that the user may edit; what is left out stays, and so do panels that the user cannot see. Roles only by its owner. 409 `stale-version` when it was saved since the version that was changed.",
    params,
    body: boardChange,
    bodyLimit,
    response: board,
    audit: "security",
  }),
  share: route({
    method: "PUT",
    path: "/boards/:id/shares",
    access: "signed-in",
    summary: "Replaces the shares. For the owner.",
    params,
    body: newShares,
    response: boardSummary,
    audit: "security",
  }),
  leave: route({
    method: "DELETE",
    path: "/boards/:id/shares/mine",
    access: "signed-in",
    summary: "Removes the caller's own share.",
    params,
    response: z.undefined(),
    audit: "security",
  }),
  transfer: route({
    method: "PUT",
    path: "/boards/:id/owner",
    access: "signed-in",
    summary: "Gives the board to someone who can edit it; an administrator gives it to any enabled account.",
    params,
    body: newOwner,
    response: z.undefined(),
    audit: "security",
  }),
  addPanel: route({
    method: "POST",
    path: "/boards/:id/panels",
    access: "signed-in",
    summary: "Add a panel below all others of a board that the user may edit.",
    params,
    body: z.object({ panel: panelContent }).meta({ id: "NewPanel" }),
    bodyLimit,
    response: z.object({ panelId: z.string(), version: z.int() }),
    status: 201,
  }),
  remove: route({
    method: "DELETE",
    path: "/boards/:id",
    access: "signed-in",
    summary: "Delete the user's own board with its revisions.",
    params,
    response: z.undefined(),
  }),
  revisions: route({
    method: "GET",
    path: "/boards/:id/revisions",
    access: "signed-in",
    summary: "The last saved states of a board that the user may edit, newest first.",
    params,
    response: z.array(boardRevision),
  }),
  revision: route({
    method: "GET",
    path: "/boards/:id/revisions/:version",
    access: "signed-in",
    summary: "A saved state of a board that the user may edit.",
    params: params.extend({ version: z.string().regex(/^[1-9]\d{0,8}$/) }),
    response: boardRevision.extend({ content: boardContent }),
  }),
};
