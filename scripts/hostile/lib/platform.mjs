// @ts-check
import { describeColumn, describeDataset } from "../../lib/described-datasets.mjs";

export const administrator = { username: "root", password: "a long password" };
export const viewer = { username: "ada", password: "a long password" };

/** @type {(user: typeof viewer, groups: string[]) => import("@fairway/gateway/seed/seed").Platform["accounts"]["users"][number]} */
const account = (user, groups) => ({ ...user, firstName: "A", lastName: "B", email: `${user.username}@fairway.example`, groups });

/** @type {(id: string, allowedRoles: { roleName: string }[]) => import("@fairway/contract/recipes").FilesetRecipe} */
const fileset = (id, allowedRoles) => ({
  entity: { id, description: "", s3Bucket: id, s3Prefix: "", allowedRoles, allowsUploads: true },
  sources: {},
  selects: [],
  copies: [],
});

/** @type {import("@fairway/gateway/seed/seed").Platform} */
export const platform = {
  categories: [{ id: "Trials", description: "Data of the hostile cases." }],
  datasets: [
    {
      entity: describeDataset({
        id: "points",
        category: "Trials",
        description: "Points with a time and a place.",
        glob: "trials/points/*.parquet",
        schema: {
          columns: [
            describeColumn("name", "STRING"),
            describeColumn("value", "decimal"),
            describeColumn("time", "TIMESTAMP_MILLS"),
            describeColumn("latitude", "decimal"),
            describeColumn("longitude", "decimal"),
            {
              ...describeColumn("position", "STRING"),
              combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: ", " },
            },
          ],
        },
        temporalField: "time",
        locationField: "position",
        filterSupport: { supportsTimeRange: true, supportsGeospatial: true },
      }),
      sources: {},
      select: `select 'point ' || i as name, i * 0.5::double as value, 1577836800000 + i * 60000 as time,
        (i % 170) - 85.0::double as latitude, (i % 350) - 175.0::double as longitude from range(50000) as points(i)`,
    },
  ],
  filesets: [fileset("open", []), fileset("closed", [{ roleName: "admin" }])],
  accounts: {
    roles: ["admin"],
    groups: [{ name: "Administrators", roles: ["admin"] }],
    users: [account(administrator, ["Administrators"]), account(viewer, [])],
  },
};
