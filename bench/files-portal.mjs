// @ts-check
// A portal with one fileset and no datasets, to measure files.
import { demoPassword } from "@fairway/contract/api";
import { runPortal } from "@fairway/gateway/portal/portal-process";
import { openService } from "@fairway/gateway/portal/service";

/** @type {import("@fairway/gateway/seed/seed").Platform} */
const platform = {
  categories: [],
  datasets: [],
  filesets: [
    {
      entity: { id: "bench", description: "", s3Bucket: "bench", s3Prefix: "", allowedRoles: [], allowsUploads: true },
      sources: {},
      selects: [],
      copies: [],
    },
  ],
  accounts: {
    roles: ["admin"],
    groups: [{ name: "Administrators", roles: ["admin"] }],
    users: [
      {
        username: "viewer",
        password: demoPassword,
        firstName: "Vera",
        lastName: "Viewer",
        email: "viewer@fairway.example",
        groups: ["Administrators"],
      },
    ],
  },
};
await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
