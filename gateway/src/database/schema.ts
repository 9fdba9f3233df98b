/** All tables of the database. Each module declares its tables next to its code: `declare module "#database/schema.ts"`. */
export interface Database {}
