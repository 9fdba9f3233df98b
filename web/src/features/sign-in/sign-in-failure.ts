import { type GatewayError, messagesOf } from "#lib/gateway-error.ts";

/** What the form says of a login that did not succeed. */
export function loginFailure(error: GatewayError): string {
  if (error.status === 401) return "Invalid username or password. Please try again.";
  if (error.status === 429) return `Too many tries. Try again ${inWords(error.retryAfterSeconds)}.`;
  return commonFailure(error);
}

/** What the form says of a second step that did not succeed. */
export function secondFactorFailure(error: GatewayError): string {
  if (error.status === 401) return "The code is not correct. Try the next one.";
  if (error.status === 429) return `Too many tries. Try again ${inWords(error.retryAfterSeconds)}.`;
  return commonFailure(error);
}

/** What holds for every call of these forms: no answer, a server that starts, a rule of the server's own. */
export function commonFailure(error: GatewayError): string {
  if (error.status === 0) return "The server could not be reached. Check your connection and try again.";
  if (error.status >= 500) return "The server cannot answer right now. Try again in a moment.";
  return messagesOf(error).join(" ");
}

function inWords(seconds: number | undefined): string {
  if (seconds === undefined) return "in a minute";
  if (seconds < 60) return seconds <= 1 ? "in a second" : `in ${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "in a minute" : `in ${minutes} minutes`;
}
