import type { search } from "@fairway/contract/search";
import type { Handlers } from "#http/handlers.ts";
import type { SearchService } from "./service.ts";

export const searchRoutes = (service: SearchService): Handlers<typeof search> => ({
  run: ({ user, params, body, signal }) => service.run(user, params, body, signal),
  sample: ({ user, params, signal }) => service.sample(user, params, signal),
  aggregate: ({ user, params, body, signal }) => service.aggregate(user, params, params, body, signal),
});
