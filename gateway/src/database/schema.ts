/** Every table of the database. Whoever keeps a table declares it beside its code: `declare module "#database/schema.ts"`. */
export interface Database {}
