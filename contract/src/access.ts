/** Everyone signed in. */
export const everyone = "*";

/** Whether a holder of `roles` passes a check for `role`. `*` passes for every signed-in user; names compare exactly. */
export const passesRole = (roles: readonly string[], role: string): boolean => role === everyone || roles.includes(role);

/** Whether a holder of `roles` may reach something limited to `allowed`: empty means every signed-in user, no bypass for admins. */
export const passesAnyRole = (roles: readonly string[], allowed: readonly string[]): boolean =>
  allowed.length === 0 || allowed.some((role) => passesRole(roles, role));
