/** Whether PostgreSQL refused a row because of a unique constraint. */
export const isUniqueViolation = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "23505";
