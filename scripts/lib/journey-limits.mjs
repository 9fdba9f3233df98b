// @ts-check

/** Settings of the gateway that the browser journeys run against. */
export const journeyLimits = {
  // Many journeys sign in from one address within a minute.
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "10000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "10000",
  LIMIT_REFRESHES_PER_MINUTE: "10000",
  // A file in parts need not be large. S3 accepts no smaller parts, and the journeys are the same on both.
  LIMIT_UPLOAD_PARTS_FROM_BYTES: "1000000",
  LIMIT_UPLOAD_PART_BYTES: "5242880",
};
