// @ts-check

/** Of every account that a case creates. */
export const password = "a long password";

/** An account to be created. @param {string} username @param {readonly string[]} roles */
export const accountDraft = (username, roles) => ({
  username,
  email: `${username}@fairway.example`,
  firstName: "",
  lastName: "",
  groups: [],
  roles: roles.map((name) => ({ name })),
  password: { setPassword: true, value: password },
});
