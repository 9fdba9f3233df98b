import { startPage } from "@fairway/contract/start-page";
import { type Capability, implement } from "#http/capability.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import type { OperatorSettings } from "#config/settings-file.ts";

interface Parts {
  readonly start: OperatorSettings["start"];
  readonly canRead: CanRead;
}

/** The operator's start page: a line and ready questions. */
export function openStartPage({ start, canRead }: Parts): Capability {
  return {
    routes: {
      startPage: implement(startPage, {
        read: async ({ user }) => {
          const readable = await Promise.all(start.questions.map(({ address, graph }) => canRead(user, address.dataset, [address, graph])));
          return {
            line: start.line,
            questions: start.questions.flatMap(({ title, address: { dataset, search }, graph }, index) =>
              readable[index] === true ? [{ title, dataset, search, graph }] : [],
            ),
          };
        },
      }),
    },
  };
}
