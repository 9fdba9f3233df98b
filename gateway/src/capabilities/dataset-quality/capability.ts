import { createHash } from "node:crypto";
import type { DatasetAbout } from "@fairway/contract/dataset-about";
import {
  type DatasetQuality,
  datasetQualities as contract,
  type QualityReport,
  type QualitySettings,
  qualityThresholdsOf,
} from "@fairway/contract/dataset-quality";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import { CoalescedRuns } from "#process/coalesced-runs.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { internalDatasets as internalType } from "#entities/entity-types.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { FigureView, WholeFigures } from "#query/whole-figures.ts";
import { runEvery } from "#process/run-every.ts";
import { evaluateQuality, type Measurement, signatureOf } from "./evaluate-quality.ts";
import { QualityStore, type StoredQuality } from "./store.ts";

/** An enabled dataset that is not external, as far as its quality depends on it. */
interface MeasuredDataset {
  readonly dataset: DatasetRef;
  /** Identifies where its data come from, which may have other rows each time that they are measured. */
  readonly lineage: string;
  /** Whether a user has brought it: administrators learn nothing of it. Default: false. */
  readonly isOwn?: boolean;
  /** Plain columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Whether its readers may see different rows: then it is not measured. Default: false. */
  readonly hasRowsPerReader?: boolean;
  readonly entity: DatasetAbout & { readonly quality?: QualitySettings | null | undefined };
}

interface Parts {
  readonly db: Kysely<Database>;
  /** The figures of a dataset that the user may have. Refuses with not-found one that the user may not know about. */
  readonly figureView: (user: SignedInUser, dataset: DatasetRef) => Promise<FigureView>;
  /** Every dataset that the user may use. */
  readonly listed: (user: SignedInUser) => Promise<readonly { readonly dataset: DatasetRef; readonly figures: FigureView }[]>;
  readonly measuredDatasets: () => Promise<readonly MeasuredDataset[]>;
  /** By `datasetKey`, of datasets that have been measured in their present state. */
  readonly profilesOf: (datasets: readonly DatasetRef[]) => Promise<ReadonlyMap<string, WholeFigures<{ readonly measuredMs: number }>>>;
  /** Newest first. */
  readonly measurementsOf: (dataset: DatasetRef) => Promise<WholeFigures<readonly Measurement[]> | null>;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly log: Pick<BaseLogger, "warn">;
  readonly intervalMs?: number;
}

export interface DatasetQualities extends Capability {
  /** Evaluates every dataset that was measured or changed since its last evaluation. */
  readonly evaluate: () => Promise<void>;
}

const maxChanges = 20;

/** Whether the rows of datasets are late, fewer than before or empty in a column. Decision 0406. */
export function openDatasetQuality(parts: Parts): DatasetQualities {
  const { db, figureView, listed, measuredDatasets, profilesOf, measurementsOf, entityChanges, log } = parts;
  const store = new QualityStore(db);

  let isClosing = false;

  const evaluateOne = async (one: MeasuredDataset): Promise<void> => {
    const measurements = (await measurementsOf(one.dataset))?.forPortal() ?? [];
    await store.update(one.dataset, fingerprintOf(one), (stored, nowMs) => evaluated(one, stored, measurements, nowMs));
  };

  const evaluateAll = async (): Promise<void> => {
    const datasets = await measuredDatasets();
    const [profiles, stored] = await Promise.all([profilesOf(datasets.map(({ dataset }) => dataset)), store.all()]);
    for (const one of datasets) {
      const key = datasetKey(one.dataset);
      if (isClosing) return;
      if (one.hasRowsPerReader !== true && isOutdated(one, stored.get(key)?.forPortal(), profiles.get(key)?.forPortal().measuredMs))
        await evaluateOne(one);
    }
    await store.removeOrphans();
  };

  // Datasets may have changed since a running evaluation read them.
  const evaluations = new CoalescedRuns(evaluateAll);
  const evaluate = () => evaluations.request();
  const warn = (error: unknown) => log.warn({ err: error }, "could not evaluate the quality of datasets");
  const evaluating = runEvery(parts.intervalMs ?? 60_000, evaluate, warn);
  entityChanges.subscribe((type) => {
    if (type === undefined || type === internalType.name) void evaluate().catch(warn);
  });

  /** Those with issues, without evaluations of a dataset that has had other data or columns since. */
  const current = async (shown: (one: MeasuredDataset, quality: WholeFigures<StoredQuality>) => StoredQuality | null) => {
    const [datasets, stored] = await Promise.all([measuredDatasets(), store.all()]);
    return datasets.flatMap((one): DatasetQuality[] => {
      const whole = stored.get(datasetKey(one.dataset));
      const quality = whole === undefined || one.hasRowsPerReader === true ? null : shown(one, whole);
      if (quality === null || quality.measuredMs === null || !isOf(one, quality) || quality.issues.length === 0) return [];
      return [{ dataset: one.dataset, measuredMs: quality.measuredMs, issues: [...quality.issues] }];
    });
  };

  const handlers: Handlers<typeof contract> = {
    list: async ({ user }) => {
      const views = new Map((await listed(user)).map(({ dataset, figures }) => [datasetKey(dataset), figures]));
      return current(({ dataset }, quality) => {
        const view = views.get(datasetKey(dataset));
        return view === undefined ? null : quality.shownTo(view);
      });
    },
    read: async ({ user, params }) => {
      const dataset = { datasetCategory: params.category, datasetId: params.datasetId };
      const view = await figureView(user, dataset);
      const one = (await measuredDatasets()).find((known) => datasetKey(known.dataset) === datasetKey(dataset));
      if (one === undefined) return { state: "unsupported", measuredMs: null, issues: [], thresholds: null, changes: [] };
      return reportOf(one, view, await store.find(dataset));
    },
    listAll: () => current(({ isOwn = false }, quality) => (isOwn ? null : quality.forPortal())),
  };
  return {
    evaluate,
    routes: { datasetQuality: implement(contract, handlers) },
    close: async () => {
      isClosing = true;
      await evaluating.close();
      await evaluations.close();
    },
  };
}

/** Changes with the data and with the columns. */
const fingerprintOf = ({ lineage, columns }: MeasuredDataset): string =>
  createHash("sha256")
    .update(JSON.stringify([lineage, columns.map(({ name, type }) => [name, type])]))
    .digest("base64url");

const isOf = (one: MeasuredDataset, stored: StoredQuality): boolean => stored.fingerprint === fingerprintOf(one);

const thresholdsTextOf = ({ entity }: MeasuredDataset): string => JSON.stringify(qualityThresholdsOf(entity));

function isOutdated(one: MeasuredDataset, stored: StoredQuality | undefined, measuredMs: number | undefined): boolean {
  if (stored === undefined) return measuredMs !== undefined;
  const isMeasured = measuredMs !== undefined && measuredMs !== stored.measuredMs;
  return isMeasured || !isOf(one, stored) || stored.thresholds !== thresholdsTextOf(one);
}

function evaluated(
  one: MeasuredDataset,
  stored: StoredQuality,
  measurements: readonly Measurement[],
  nowMs: number,
): Omit<StoredQuality, "dataset"> | undefined {
  const measuredMs = measurements[0]?.measuredMs ?? null;
  const isSame = isOf(one, stored);
  // Another gateway has evaluated a newer measurement.
  if (isSame && stored.measuredMs !== null && (measuredMs === null || measuredMs < stored.measuredMs)) return undefined;
  const baselineMs = isSame ? stored.baselineMs : nowMs;
  const comparable = measurements.filter((measurement) => baselineMs === null || measurement.measuredMs > baselineMs);
  const { issues, emptySince } = evaluateQuality(comparable, qualityThresholdsOf(one.entity), isSame ? stored : undefined);
  // Issues of other data may not be meant for those who read the dataset now.
  const before = isSame ? stored : { issues: [], changes: [] };
  const hasChanged = signatureOf(issues) !== signatureOf(before.issues);
  return {
    fingerprint: fingerprintOf(one),
    thresholds: thresholdsTextOf(one),
    baselineMs,
    measuredMs,
    isKnown: comparable.length > 1,
    issues,
    emptySince,
    changes: hasChanged ? [{ changedMs: nowMs, issues: [...issues] }, ...before.changes].slice(0, maxChanges) : before.changes,
  };
}

function reportOf(one: MeasuredDataset, view: FigureView, whole: WholeFigures<StoredQuality> | undefined): QualityReport {
  const thresholds = qualityThresholdsOf(one.entity);
  const nothing = { measuredMs: null, issues: [], thresholds, changes: [] };
  if (view.rows === "some") return { state: "restricted", ...nothing };
  const stored = whole?.shownTo(view) ?? null;
  if (stored === null || !isOf(one, stored)) return { state: "unknown", ...nothing };
  const { measuredMs, issues, changes, isKnown } = stored;
  const state = isKnown ? (issues.length === 0 ? "good" : "issues") : "unknown";
  return { state, measuredMs, issues: [...issues], thresholds, changes: [...changes] };
}
