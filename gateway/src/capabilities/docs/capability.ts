import { apiBase } from "@fairway/contract/api";
import type { EntityBody } from "@fairway/contract/administration";
import { type DocEntry, type DocFileType, docAdministration, docFileTypes, docs as contract } from "@fairway/contract/docs";
import type { Limits } from "@fairway/contract/limits";
import { compareNames } from "@fairway/contract/name-order";
import type { Kysely } from "kysely";
import { z } from "zod";
import { CachedRead } from "#process/cached-read.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { SignedUrls } from "#http/signed-urls.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import type { FileStore } from "#storage/storage.ts";
import { DocFiles } from "./doc-files.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list" | "get">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly files: FileStore;
  readonly limits: Pick<Limits, "uploadMaxBytes" | "docUrlMinutes">;
}

type Doc = EntityBody<"docs">;

/** Rights that the address of a doc's file grants. */
const claims = z.object({ docId: z.string(), type: z.string(), userId: z.string(), endsAtMs: z.number() });

/** Docs with their contents, such as tutorial videos. */
export function openDocs({ db, entities, entityChanges, masterKey, files, limits }: Parts): Capability {
  const docFiles = new DocFiles(files, limits);
  const list = new CachedRead(async () => {
    const enabled = (await entities.list(storedTypes.docs)).filter((doc) => doc.enabled);
    const entries = await Promise.all(enabled.map(({ body }) => entryOf(body, docFiles)));
    return entries.toSorted((one, other) => compareNames(one.name, other.name) || (one.id < other.id ? -1 : 1));
  });
  entityChanges.subscribe((type) => {
    if (type === undefined || type === storedTypes.docs.name) list.forget();
  });
  const signatures = new SignedUrls(masterKey, "doc-file", claims);

  const enabledDoc = async (docId: string): Promise<DocEntry> => {
    const found = (await list.get()).find(({ id }) => id === docId);
    if (found === undefined) throw new Refusal("not-found", "There is no such doc.");
    return found;
  };

  const handlers: Handlers<typeof contract> = {
    list: () => list.get(),
    url: async ({ user, params }) => {
      const type = linkedType(params.type);
      const { id } = await enabledDoc(params.docId);
      await docFiles.require(id, type);
      const signature = signatures.sign({ docId: id, type, userId: user.id, endsAtMs: Date.now() + limits.docUrlMinutes * 60_000 });
      return { url: `${apiBase}/docs/${encodeURIComponent(id)}/${type}/file?${new URLSearchParams({ signature }).toString()}` };
    },
    file: async (call) => {
      const type = linkedType(call.params.type);
      const claimed = signatures.read(call.query.signature);
      if (claimed === undefined || claimed.docId !== call.params.docId || claimed.type !== type) throw notValid();
      const user = await userWithoutSession(db, claimed.userId);
      if (user === undefined) throw notValid();
      call.callerIs(user);
      return docFiles.answer(await enabledDoc(claimed.docId), type, call.fileHeaders);
    },
    captions: async ({ params, fileHeaders }) => docFiles.answer(await enabledDoc(params.docId), "captions", fileHeaders),
  };

  const administration: Handlers<typeof docAdministration> = {
    files: async ({ params }) => {
      const { body } = await entities.get(storedTypes.docs, params.docId);
      const infos = await docFiles.infosOf(body.id);
      return { files: [...infos].map(([type, { size, lastModified }]) => ({ type, size, lastModified: lastModified.toISOString() })) };
    },
    upload: async ({ params, content }) => {
      const type = fileType(params.type, docFileTypes);
      const { body } = await entities.get(storedTypes.docs, params.docId);
      await docFiles.write(body, type, content);
      list.forget();
    },
    remove: async ({ params }) => {
      const type = fileType(params.type, docFileTypes);
      const { body } = await entities.get(storedTypes.docs, params.docId);
      await docFiles.remove(body.id, type);
      list.forget();
    },
  };

  return { routes: { docs: implement(contract, handlers), docAdministration: implement(docAdministration, administration) } };
}

async function entryOf({ id, name, category, description }: Doc, files: DocFiles): Promise<DocEntry> {
  const infos = await files.infosOf(id);
  return {
    id,
    name,
    category,
    description,
    hasContent: infos.has("object"),
    hasPreview: infos.has("preview"),
    hasCaptions: infos.has("captions"),
  };
}

const linkedType = (type: string) => fileType(type, ["object", "preview"]);

function fileType<const Type extends DocFileType>(type: string, allowed: readonly Type[]): Type {
  const found = allowed.find((one) => one === type);
  if (found === undefined) throw new Refusal("not-found", `The files of a doc are ${allowed.join(", ")}.`, { path: "type" });
  return found;
}

const notValid = () => new Refusal("forbidden", "This address is not valid or has expired.");
