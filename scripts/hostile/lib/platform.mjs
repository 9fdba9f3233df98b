// @ts-check
export const administrator = { username: "root", password: "a long password" };
export const viewer = { username: "ada", password: "a long password" };

/** @type {(name: string, type: "STRING" | "decimal" | "TIMESTAMP_MILLS") => import("@fairway/contract/columns").Column} */
const column = (name, type) => ({ name, type, description: "", combined: null });

/** @type {(user: typeof viewer, groups: string[]) => import("@fairway/gateway/seed").Platform["accounts"]["users"][number]} */
const account = (user, groups) => ({ ...user, firstName: "A", lastName: "B", email: `${user.username}@fairway.example`, groups });

/** @type {import("@fairway/gateway/seed").Platform} */
export const platform = {
  categories: [{ id: "Trials", description: "What the hostile cases ask." }],
  datasets: [
    {
      entity: {
        id: "points",
        category: "Trials",
        description: "Points with a time and a place.",
        roles: [],
        source: { kind: "files", glob: "trials/points/*.parquet", format: "parquet" },
        schema: {
          columns: [
            column("name", "STRING"),
            column("value", "decimal"),
            column("time", "TIMESTAMP_MILLS"),
            column("latitude", "decimal"),
            column("longitude", "decimal"),
            { ...column("position", "STRING"), combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: ", " } },
          ],
        },
        temporalField: "time",
        locationField: "position",
        orderBy: null,
        features: ["SAMPLE", "PAGINATION", "COUNT"],
        filterSupport: {
          supportsTimeRange: true,
          supportsGeospatial: true,
          supportsAdvancedFiltering: true,
          requiredOrFields: null,
          staticFilters: [],
          preFilledFilters: [],
          additionalFilters: [],
        },
        mapSupport: null,
        linkedDatasets: [],
        faMapIcon: null,
        titleField: null,
        subtitleField: null,
      },
      sources: {},
      select: `select 'point ' || i as name, i * 0.5::double as value, 1577836800000 + i * 60000 as time,
        (i % 170) - 85.0::double as latitude, (i % 350) - 175.0::double as longitude from range(50000) as points(i)`,
    },
  ],
  accounts: {
    roles: ["admin"],
    groups: [{ name: "Administrators", roles: ["admin"] }],
    users: [account(administrator, ["Administrators"]), account(viewer, [])],
  },
};
