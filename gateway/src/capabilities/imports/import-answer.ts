import type { DataImport } from "@fairway/contract/imports";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { PartUploads } from "#uploads/part-uploads.ts";
import type { ImportDestination } from "./destination.ts";
import { type ImportRepository, type ImportRow, keepHours } from "./repository.ts";
import { fieldsOf } from "./settings.ts";

/** An import as its owner sees it. */
export async function answerOf(
  { repository, uploads }: { readonly repository: ImportRepository; readonly uploads: PartUploads<ImportDestination> },
  user: SignedInUser,
  row: ImportRow,
): Promise<DataImport> {
  const files = (await repository.files(row.id)).filter(({ container }) => container === null);
  const isUploading = row.status === "uploading";
  const { result } = row;
  return {
    id: row.id,
    status: row.status,
    createdMs: row.created_at.getTime(),
    expiresMs: expiryOf(row),
    from: row.from_fileset === null ? null : { filesetId: row.from_fileset },
    into: row.into_dataset,
    suggestedName: row.suggested_name,
    files: await Promise.all(
      files.map(async ({ number, file, size, upload_id: uploadId, part_bytes: partBytes, contents }) => ({
        number,
        file,
        size: Number(size),
        partBytes: Number(partBytes),
        received: isUploading && uploadId !== null ? (await uploads.received(user, row.id, uploadId)).received : [],
        contents: contents === null ? undefined : { taken: contents.taken, others: [...contents.others] },
      })),
    ),
    progress: row.progress,
    reading: result?.reading ?? null,
    isPartial: row.is_partial,
    sample: result === null ? null : { columns: result.settings.schema.columns, ...result.sample },
    openQuestions: openQuestions(row),
    drift: result?.drift ?? [],
    ...(row.into_dataset?.mode === "read-again" && result !== null && { isUnchanged: isUnchanged(row) }),
    fields: result === null ? null : fieldsOf(result.settings),
    dataset: row.dataset,
    failure: row.failure,
  };
}

export const expiryOf = ({ used_at: usedAt }: ImportRow): number => usedAt.getTime() + keepHours * 3_600_000;

export const openQuestions = ({ result }: ImportRow): string[] =>
  (result?.reading?.questions ?? []).filter(({ isAnswered }) => !isAnswered).map(({ question }) => question);

/**
 * Whether an import that reads files again would store what is stored. Columns that were left out before are left out by choices of the
 * import; others are differences.
 */
export function isUnchanged({ choices, result }: Pick<ImportRow, "choices" | "result">): boolean {
  const { columns, ...others } = choices;
  const chosen = Object.values(columns ?? {}).flatMap((choice) => Object.entries(choice ?? {}));
  return (
    result?.drift.length === 0 &&
    chosen.every(([field, value]) => field === "leaveOut" || value == null) &&
    Object.values(others).every((choice) => choice == null || (typeof choice === "object" && Object.values(choice).every(isAutomatic)))
  );
}

/** The choices of a file, or one answer, if none of them is made. */
const isAutomatic = (choice: unknown): boolean =>
  choice == null || (typeof choice === "object" && Object.values(choice).every((value) => value == null));
