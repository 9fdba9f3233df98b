import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoginAnswer } from "@fairway/contract/auth";
import pino, { type Logger } from "pino";
import { readConfig } from "#config/config.ts";
import { openNotifications } from "#database/notifications.ts";
import { openMasterKey } from "#secrets/master-key.ts";
import type { Service } from "#portal/portal.ts";
import type { Platform } from "#seed/seed.ts";
import { openService } from "#portal/service.ts";
import { buildDataset, buildColumn } from "./dataset-app.ts";
import { type TestDatabase, testDatabase } from "./postgres.ts";

interface DemoGateway {
  readonly app: Service["app"];
  /** The port it listens on, at 127.0.0.1. */
  readonly port: number;
  /** Its folder. */
  readonly home: string;
  readonly database: TestDatabase;
  /** An access token. Default: the administrator's. */
  token(username?: string): Promise<string>;
  close(): Promise<void>;
}

/** A dataset of one row, for tests that only need one to be there. */
export const stormsRecipe: Platform["datasets"][number] = {
  entity: buildDataset({
    category: "nature",
    id: "storms",
    source: { kind: "files", glob: "nature/storms/*.parquet", format: "parquet" },
    features: ["COUNT"],
    schema: { columns: [buildColumn("id", "integer")] },
    orderBy: null,
    temporalField: null,
    locationField: null,
    mapSupport: null,
    linkedDatasets: [],
  }),
  sources: {},
  select: "select 1::integer as id",
};

type Content = Pick<Platform, "categories" | "datasets" | "filesets"> & {
  /** Accounts besides the administrator, with the same password. */
  readonly usernames?: Readonly<Record<string, readonly string[]>>;
};

interface Options {
  readonly log?: Logger;
  /** Another gateway, whose database and folder this one shares. */
  readonly peer?: DemoGateway;
  /** Where it listens to the changes of other gateways. Default: its database. */
  readonly notificationsUrl?: string;
}

/** Starts the whole gateway in demo mode, with an administrator, a stub web app, and only this content. */
export async function demoGateway(
  env: Readonly<Record<string, string>> = {},
  content: Content = { categories: [], datasets: [] },
  { log = pino({ level: "silent" }), peer, notificationsUrl }: Options = {},
): Promise<DemoGateway> {
  const home = peer?.home ?? (await mkdtemp(join(tmpdir(), "fairway-demo-")));
  const webRoot = join(home, "web");
  await mkdir(join(webRoot, "assets"), { recursive: true });
  for (const file of ["index.html", "login.html", "theme.js", "assets/main-abc.js"]) {
    await writeFile(join(webRoot, file), `<title>${file}</title><meta nonce="__NONCE__">`);
  }
  const database = peer?.database ?? (await testDatabase());
  const config = {
    ...readConfig({ FAIRWAY_HOME: home, DATABASE_URL: database.url, ...env }, { demo: true }),
    webRoot,
    toolsFolder: join(home, "tools"),
  };
  const notifications = await openNotifications(notificationsUrl ?? database.url, log);
  const masterKey = await openMasterKey(config);
  const [signal, print] = [new AbortController().signal, () => undefined];
  const users = [{ username: "root", password: "tide-table", firstName: "", lastName: "", email: "", groups: ["Administrators"] }];
  const others = Object.entries(content.usernames ?? {}).map(([username, roles]) => {
    return { username, password: "tide-table", firstName: "", lastName: "", email: "", groups: [], roles };
  });
  const accounts = { roles: ["admin"], groups: [{ name: "Administrators", roles: ["admin"] }], users: [...users, ...others] };
  const service = await openService({ config, log, database, notifications, masterKey, signal, print }, { ...content, accounts });
  const { port } = new URL(await service.app.listen({ host: "127.0.0.1", port: 0 }));
  return {
    app: service.app,
    port: Number(port),
    home,
    database,
    token: async (username = "root") => {
      const payload = { username, password: "tide-table" };
      const answer = await service.app.inject({ method: "POST", url: "/api/auth/login", payload });
      return answer.json<LoginAnswer>().token.access_token;
    },
    async close() {
      await service.app.close();
      await service.close();
      await notifications.close();
      if (peer !== undefined) return;
      await database.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
