// @ts-check

/** Variables of the gateway that the browser journeys run against. */
export const journeyLimits = {
  // Many journeys sign in from one address within a minute.
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "10000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "10000",
  LIMIT_REFRESHES_PER_MINUTE: "10000",
  // A file in parts need not be large.
  LIMIT_UPLOAD_PARTS_FROM_BYTES: "1000000",
};

/** Their limits in the settings file. S3 accepts no smaller parts, and the journeys are the same on disk and on S3. */
export const journeySettings = { limits: { uploadPartBytes: 5_242_880 } };
