import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasetAdministration, ownDatasets } from "@fairway/contract/own-datasets";
import { sharing } from "@fairway/contract/sharing";
import type { FastifyBaseLogger } from "fastify";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { runEvery } from "#process/run-every.ts";
import { administrationHandlers } from "./administration.ts";
import { purgeExpired } from "./removal.ts";
import { type OwnDatasetParts, OwnDatasetService } from "./service.ts";
import { findCandidates } from "./sharing.ts";

interface Parts extends OwnDatasetParts {
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

const purgeIntervalMs = 600_000;

export interface OpenOwnDatasets extends Capability {
  /** Runs regularly by itself. */
  readonly purgeExpired: () => Promise<void>;
}

/** The datasets that users have brought: their settings, shares, versions and removal. */
export function openOwnDatasetManagement({ log, ...parts }: Parts): OpenOwnDatasets {
  const service = new OwnDatasetService(parts);
  const purgeOld = async () => {
    await purgeExpired(parts.db);
    await parts.cleanFiles();
  };
  const purging = runEvery(purgeIntervalMs, purgeOld, (error) =>
    log.warn({ err: error }, "deleted datasets of users could not be removed"),
  );
  const candidates: Handlers<typeof sharing> = {
    candidates: ({ user, query }) => findCandidates(parts, user, query.text),
  };
  return {
    purgeExpired: purgeOld,
    routes: {
      ownDatasets: implement(ownDatasets, handlers(service)),
      ownDatasetForm: implement(ownDatasetForm, formHandlers(service)),
      ownDatasetAdministration: implement(ownDatasetAdministration, administrationHandlers(parts, service)),
      sharing: implement(sharing, candidates),
    },
    close: () => purging.close(),
  };
}

const formHandlers = (service: OwnDatasetService): Handlers<typeof ownDatasetForm> => ({
  one: ({ user, params }) => service.one(user, params.id),
  save: ({ user, params, body }) => service.save(user, params.id, body),
});

const handlers = (service: OwnDatasetService): Handlers<typeof ownDatasets> => ({
  list: ({ user }) => service.list(user),
  dependents: ({ user, params }) => service.dependents(user, params.id),
  share: ({ user, params, body }) => service.share(user, params.id, body.shares),
  leave: async ({ user, params }) => {
    await service.leave(user, params.id);
    return undefined;
  },
  transfer: async ({ user, params, body }) => {
    await service.transfer(user, params.id, body.userId);
    return undefined;
  },
  versions: ({ user, params }) => service.versions(user, params.id),
  goBack: ({ user, params }) => service.goBack(user, params.id, params.n),
  remove: async ({ user, params, query }) => {
    await service.remove(user, params.id, query.now === "true");
    return undefined;
  },
  restore: ({ user, params }) => service.restore(user, params.id),
});
