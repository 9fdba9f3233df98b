import { breakdowns } from "@fairway/contract/breakdowns";
import { columnValues } from "@fairway/contract/column-values";
import { distributions } from "@fairway/contract/distributions";
import { grids } from "@fairway/contract/grid";
import { graphs } from "@fairway/contract/graphs";
import type { Limits } from "@fairway/contract/limits";
import { type LookupTarget, lookups } from "@fairway/contract/lookups";
import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { AnswerStore } from "#query/answer-store.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { breakdownExports } from "./breakdown/exported-breakdown.ts";
import { type AnswerBreakdown, breakdownAnswers, breakdownRoutes } from "./breakdown/routes.ts";
import { columnValueRoutes } from "./column-values.ts";
import { distributionRoutes } from "./distributions.ts";
import { gridRoutes } from "./grid.ts";
import { graphRoutes, groupValues, type GroupValues } from "./graphs.ts";
import { lookupReports } from "./lookups.ts";
import { mapResultRoutes } from "./map-results.ts";
import { rowFormatOf } from "./row-response.ts";
import { type SearchParts, type SearchService, searchService } from "./service.ts";

interface Parts {
  readonly datasets: SearchParts["datasets"] & {
    readonly lookupTargets: (user: SignedInUser, category: string, datasetId: string) => Promise<LookupTarget[]>;
  };
  readonly onSearch?: SearchParts["onSearch"];
  readonly limits: Limits;
}

export interface Search extends Capability {
  /** Validates a search by the same rules as running it. */
  readonly prepare: SearchService["prepare"];
  /** The same of breakdowns, whose files are written elsewhere. */
  readonly prepareBreakdown: ReturnType<typeof breakdownExports>;
  readonly answerBreakdown: AnswerBreakdown;
  readonly groupValues: GroupValues;
}

const megabyte = 1_000_000;

/** Searches, with column values, maps, graphs and breakdowns of the results. */
export function openSearch(parts: Parts): Search {
  const service = searchService(parts);
  const answers = new AnswerStore(parts.limits.answerCacheMb * megabyte);
  const answerBreakdown = breakdownAnswers({ ...parts, answers });
  const valuesOfGroups = groupValues(parts);
  return {
    prepare: (...search) => service.prepare(...search),
    prepareBreakdown: breakdownExports(parts),
    answerBreakdown,
    groupValues: valuesOfGroups,
    routes: {
      search: implement(search, {
        run: ({ user, params, body, headers, signal }) => service.run(user, params, body, rowFormatOf(headers), signal),
        sample: ({ user, params, signal }) => service.sample(user, params, signal),
        aggregate: ({ user, params, body, signal }) => service.aggregate(user, params, params, body, signal),
        rowCount: ({ user, params, body, signal }) => service.rowCount(user, params, body, signal),
      }),
      columnValues: implement(columnValues, columnValueRoutes(parts)),
      lookups: implement(lookups, {
        ...lookupReports(parts),
        targets: ({ user, params }) => parts.datasets.lookupTargets(user, params.category, params.datasetId),
      }),
      distributions: implement(distributions, distributionRoutes(parts)),
      mapResults: implement(mapResults, mapResultRoutes(parts)),
      grids: implement(grids, gridRoutes({ ...parts, answers })),
      graphs: implement(graphs, graphRoutes(valuesOfGroups)),
      breakdowns: implement(breakdowns, breakdownRoutes(parts, answerBreakdown)),
    },
  };
}
