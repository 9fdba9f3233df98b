import { pluralize } from "@fairway/contract/counts";
import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { type OwnDataset, ownDatasetAdministration, ownDatasets } from "@fairway/contract/own-datasets";
import type { FastifyBaseLogger } from "fastify";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { attachment } from "#http/attachment.ts";
import type { OwnedThings } from "#sharing/owned-things.ts";
import { runEvery } from "#process/run-every.ts";
import { administrationHandlers } from "./administration.ts";
import { tellOfBrokenColumns } from "./broken-columns.ts";
import { warnIfAlmostFull } from "./almost-full.ts";
import { purgeExpired } from "./removal.ts";
import { type OwnDatasetParts, OwnDatasetService } from "./service.ts";

interface Parts extends OwnDatasetParts {
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

const purgeIntervalMs = 600_000;

export interface OpenOwnDatasets extends Capability {
  /** Runs regularly by itself. */
  readonly purgeExpired: () => Promise<void>;
  /** Their owners. */
  readonly things: OwnedThings;
}

/** The datasets that users have brought: their settings, shares, versions and removal. */
export function openOwnDatasetManagement({ log, ...parts }: Parts): OpenOwnDatasets {
  const service = new OwnDatasetService(parts);
  const purgeOld = async () => {
    await purgeExpired(parts.db);
    await parts.cleanFiles();
    await warnIfAlmostFull(parts);
    await tellOfBrokenColumns(parts);
  };
  const purging = runEvery(purgeIntervalMs, purgeOld, (error) =>
    log.warn({ err: error }, "deleted datasets of users could not be removed"),
  );
  const things: OwnedThings = {
    kind: "ownDataset",
    ownerless: () => service.ownerless(),
    give: async (by, id, userId) => {
      const { dataset, owner } = await service.giveOwnerless(by, id, userId);
      return { name: nameOf(dataset), owner };
    },
    remove: async (id) => nameOf(await service.removeOwnerless(id)),
    giveAll: (trx, from, to) => service.giveAll(trx, from, to),
    owned: (userId) => service.owned(userId),
  };
  return {
    purgeExpired: purgeOld,
    routes: {
      ownDatasets: implement(ownDatasets, handlers(service)),
      ownDatasetForm: implement(ownDatasetForm, formHandlers(service)),
      ownDatasetAdministration: implement(ownDatasetAdministration, administrationHandlers(parts, service)),
    },
    things,
    close: () => purging.close(),
  };
}

type Addressed = Pick<OwnDataset, "datasetCategory" | "datasetId">;

const nameOf = ({ datasetCategory, datasetId }: Addressed): string => `${datasetCategory}/${datasetId}`;

const formHandlers = (service: OwnDatasetService): Handlers<typeof ownDatasetForm> => ({
  one: ({ user, params }) => service.one(user, params.id),
  save: async (call) => {
    const saved = await service.save(call.user, call.params.id, call.body);
    call.noteForAudit(`settings of ${nameOf(saved)}, version ${saved.version}`);
    return saved;
  },
  files: ({ user, params }) => service.files(user, params.id),
  file: async ({ user, params, query }) => {
    const { name, size, content } = await service.file(user, params.id, params.n, query.version);
    return {
      contentType: "application/octet-stream",
      headers: { "content-disposition": attachment(name.slice(name.lastIndexOf("/") + 1)), "content-length": String(size) },
      chunks: content,
    };
  },
});

const handlers = (service: OwnDatasetService): Handlers<typeof ownDatasets> => ({
  list: ({ user }) => service.list(user),
  dependents: ({ user, params }) => service.dependents(user, params.id),
  share: async (call) => {
    const dataset = await service.share(call.user, call.params.id, call.body.shares);
    call.noteForAudit(`${nameOf(dataset)}, ${pluralize(dataset.shares.length, "share")}`);
    return dataset;
  },
  leave: async (call) => {
    call.noteForAudit(nameOf(await service.leave(call.user, call.params.id)));
    return undefined;
  },
  transfer: async (call) => {
    const { dataset, owner } = await service.transfer(call.user, call.params.id, call.body.userId);
    call.noteForAudit(`${nameOf(dataset)} to ${owner}`);
    return undefined;
  },
  versions: ({ user, params }) => service.versions(user, params.id),
  goBack: async (call) => {
    const { dataset, versions } = await service.goBack(call.user, call.params.id, call.params.n);
    const current = versions.find(({ isCurrent }) => isCurrent);
    call.noteForAudit(`${nameOf(dataset)}, back to version ${call.params.n}, ${pluralize(current?.rows ?? 0, "row")}`);
    return versions;
  },
  remove: async (call) => {
    const now = call.query.now === "true";
    const dataset = await service.remove(call.user, call.params.id, now);
    call.noteForAudit(`${nameOf(dataset)}, ${now ? "now" : "in 7 days"}`);
    return undefined;
  },
  restore: async (call) => {
    const dataset = await service.restore(call.user, call.params.id);
    call.noteForAudit(nameOf(dataset));
    return dataset;
  },
});
