/** Whether PostgreSQL refused a row for a value that has to be unique. */
export const isUniqueViolation = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "23505";
