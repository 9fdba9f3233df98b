import { passesRole } from "@fairway/contract/access";
import { pluralize } from "@fairway/contract/counts";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { descriptionSuggestions as contract } from "@fairway/contract/description-suggestions";
import { schemaEditRole } from "@fairway/contract/descriptions";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Notifier } from "#personal/notify.ts";
import type { ScopeKeys, ScopeKeysOf } from "#personal/scope-keys.ts";
import type { DescriptionStore } from "./store.ts";
import { fullName, type SuggestionStore, textOf, toSuggestion } from "./suggestions.ts";

/** The part of a schema that suggestions need. */
interface Described {
  readonly dataset: DatasetRef;
  readonly columns: readonly { readonly name: string }[];
}

export interface SuggestingParts {
  readonly store: DescriptionStore;
  readonly suggestions: SuggestionStore;
  /** Refuses with not-found a dataset that the user may not know about. */
  readonly schemaOf: (user: SignedInUser, dataset: DatasetRef) => Promise<Described>;
  /** Of every dataset that the user may know about. */
  readonly schemasOf: (user: SignedInUser) => Promise<readonly Described[]>;
  readonly canRead: (user: SignedInUser, dataset: DatasetRef) => Promise<boolean>;
  readonly scopeKeysOf: ScopeKeysOf;
  readonly holdersOf: (role: string) => Promise<readonly SignedInUser[]>;
  readonly notifier: Notifier;
}

/** Suggestions of community descriptions: making, withdrawing and reviewing them. Decision 0411. */
export function suggestionHandlers(parts: SuggestingParts): Handlers<typeof contract> {
  const { store, suggestions, schemaOf, schemasOf, notifier } = parts;
  return {
    counts: async ({ user }) => {
      const [schemas, counts] = await Promise.all([schemasOf(user), suggestions.counts(onlyOwn(user))]);
      const known = new Map(schemas.map((schema) => [datasetKey(schema.dataset), schema]));
      const found = new Map<string, { dataset: DatasetRef; suggestions: number; newestMs: number }>();
      for (const { category, dataset_id: datasetId, column_name: column, count, newest } of counts) {
        const key = datasetKey({ datasetCategory: category, datasetId });
        const schema = known.get(key);
        if (schema === undefined || !describes(schema, column)) continue;
        const { suggestions: others = 0, newestMs = 0 } = found.get(key) ?? {};
        found.set(key, { dataset: schema.dataset, suggestions: others + Number(count), newestMs: Math.max(newestMs, newest.getTime()) });
      }
      return [...found.values()].sort((one, other) => other.newestMs - one.newestMs);
    },
    list: async ({ user, params }) => {
      const dataset = refOf(params);
      const schema = await schemaOf(user, dataset);
      const rows = await suggestions.listFor(dataset, onlyOwn(user));
      return rows.filter(({ column_name: column }) => describes(schema, column)).map((row) => toSuggestion(row, user.id));
    },
    suggest: async ({ user, params, body: { columnName, description } }) => {
      const dataset = refOf(params);
      const schema = await schemaOf(user, dataset);
      requireColumn(schema, columnName);
      const replaces = textOf(await store.read(dataset, "community"), columnName);
      if (replaces === description) {
        throw new Refusal("invalid-value", "This is the community description already.", { path: "description" });
      }
      const { row, isNew } = await suggestions.save(user.id, { dataset, columnName }, { description, replaces });
      if (isNew) await notifyReviewers(parts, user, dataset, { columnName, author: fullName(row) || row.username });
      return toSuggestion(row, user.id);
    },
    withdraw: async ({ user, params }) => {
      const dataset = refOf(params);
      // Also works after the user has lost access to the dataset.
      await suggestions.withdraw(user.id, dataset, params.id);
      await retractIfReviewed(parts, dataset);
    },
    decide: async ({ user, params, body }) => {
      const dataset = refOf(params);
      const schema = await schemaOf(user, dataset);
      const row = await suggestions.decide(user, dataset, params.id, {
        ...body,
        check: (columnName) => requireColumn(schema, columnName),
      });
      await retractIfReviewed(parts, dataset);
      if (row.user_id === user.id) return;
      const outcome = body.decision === "approve" ? "approved" : "declined";
      const details = [
        `${user.username} ${outcome} your description of ${targetOf(row.column_name)}.`,
        body.decision === "decline" && body.reason !== "" ? `Reason: ${body.reason}` : "",
        // A declined text is stored nowhere else.
        body.decision === "decline" ? `You suggested: ${row.description}` : "",
      ];
      await notifier.notify([row.user_id], {
        title: `Your suggestion for ${dataset.datasetId} was ${outcome}`,
        text: details.filter((line) => line !== "").join("\n"),
        link: linkOf(dataset),
        dataset,
      });
    },
  };
}

const refOf = ({ category, datasetId }: { category: string; datasetId: string }): DatasetRef => ({ datasetCategory: category, datasetId });

/** Reviewers see the suggestions of everyone. */
const onlyOwn = ({ id, roles }: SignedInUser): string | undefined => (passesRole(roles, schemaEditRole) ? undefined : id);

/** A schema update may have removed the column; the suggestion is shown again once it is back. */
const describes = ({ columns }: Described, columnName: string | null): boolean =>
  columnName === null || columns.some(({ name }) => name === columnName);

function requireColumn(schema: Described, columnName: string | null): void {
  if (describes(schema, columnName)) return;
  throw new Refusal("unknown-column", `The dataset has no column '${columnName}'.`, { path: "columnName" });
}

const linkOf = ({ datasetCategory, datasetId }: DatasetRef): string =>
  `/data-catalog/${encodeURIComponent(datasetCategory)}/${encodeURIComponent(datasetId)}`;

const targetOf = (columnName: string | null): string => (columnName === null ? "the dataset" : `the column ${columnName}`);

const topicOf = (dataset: DatasetRef): string => `description-suggestions ${datasetKey(dataset)}`;

/**
 * One unread notification per dataset, whatever number of suggestions it has. Reviewers hear of the columns that they have, and only as long
 * as they see the same of the dataset: a column may be withheld from them later.
 */
async function notifyReviewers(
  { suggestions, canRead, schemaOf, scopeKeysOf, holdersOf, notifier }: SuggestingParts,
  user: SignedInUser,
  dataset: DatasetRef,
  { columnName, author }: { readonly columnName: string | null; readonly author: string },
): Promise<void> {
  const [holders, open] = await Promise.all([holdersOf(schemaEditRole), suggestions.listFor(dataset)]);
  const reviewers = new Map<string, { readonly count: number; readonly scopeKeys: ScopeKeys; readonly ids: string[] }>();
  for (const holder of holders) {
    if (holder.id === user.id || !(await canRead(holder, dataset))) continue;
    const schema = await schemaOf(holder, dataset);
    if (!describes(schema, columnName)) continue;
    const count = open.filter(({ column_name: column }) => describes(schema, column)).length;
    const scopeKeys = await scopeKeysOf(holder, [dataset]);
    const key = JSON.stringify([count, scopeKeys]);
    reviewers.set(key, { count, scopeKeys, ids: [...(reviewers.get(key)?.ids ?? []), holder.id] });
  }
  for (const { count, scopeKeys, ids } of reviewers.values()) {
    await notifier.notify(ids, {
      title: `${pluralize(count, "suggestion")} to review for ${dataset.datasetId}`,
      text: `${author} suggests a description of ${targetOf(columnName)}.`,
      link: linkOf(dataset),
      topic: topicOf(dataset),
      dataset,
      scopeKeys,
      role: schemaEditRole,
    });
  }
}

async function retractIfReviewed({ suggestions, notifier }: SuggestingParts, dataset: DatasetRef): Promise<void> {
  if ((await suggestions.listFor(dataset)).length === 0) await notifier.retract(topicOf(dataset));
}
