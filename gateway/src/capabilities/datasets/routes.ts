import type { datasets } from "@fairway/contract/datasets";
import type { Handlers } from "#http/handlers.ts";
import type { DatasetService } from "./service.ts";

export const datasetRoutes = (service: DatasetService): Handlers<typeof datasets> => ({
  list: ({ user }) => service.accessible(user),
  describe: ({ user, params, signal }) => service.describe(user, params.category, params.datasetId, signal),
  schema: ({ user, params }) => service.schema(user, params.category, params.datasetId),
});
