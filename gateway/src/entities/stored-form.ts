import { isJsonObject } from "@fairway/contract/json";

/** Converts the bodies of a type to and from the form in which they are stored. */
export interface StoredForm {
  readonly toStored: (body: object) => object;
  /** Also takes bodies that are stored as they are. */
  readonly fromStored: (stored: object) => object;
}

const asTheyAre: StoredForm = { toStored: (body) => body, fromStored: (stored) => stored };

/** The stored form of a type's bodies. Whoever reads or writes the table `entities` uses it. */
export const storedFormOf = ({ form = asTheyAre }: { readonly form?: StoredForm | undefined }): StoredForm => form;

const mark = "-with-rules";

/**
 * Datasets whose rows or columns are not for all of their readers have a kind of source that earlier releases do not know. These leave the
 * dataset out, as a release that does not apply its rules would answer with all rows. Everything else stays where statements look for it.
 */
export const datasetForm: StoredForm = {
  toStored: (body) => withKind(body, (kind, { access }) => (access === null || access === undefined ? kind : `${kind}${mark}`)),
  fromStored: (stored) => withKind(stored, (kind) => (kind.endsWith(mark) ? kind.slice(0, -mark.length) : kind)),
};

function withKind(body: object, change: (kind: string, body: Readonly<Record<string, unknown>>) => string): object {
  const fields = body as Readonly<Record<string, unknown>>;
  const source = fields["source"];
  if (!isJsonObject(source) || typeof source["kind"] !== "string") return body;
  const kind = change(source["kind"], fields);
  return kind === source["kind"] ? body : { ...body, source: { ...source, kind } };
}
