import { type GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";

/** The message for a failed login. */
export function loginFailure(error: GatewayError): string {
  if (error.status === 401) return "Invalid username or password. Please try again.";
  if (error.status === 429) return `Too many attempts. Try again ${waitText(error.retryAfterSeconds)}.`;
  return commonFailure(error);
}

/** The message for a failed second step. */
export function secondFactorFailure(error: GatewayError): string {
  if (error.status === 401) return "That code isn't correct. Try the next one.";
  if (error.status === 429) return `Too many attempts. Try again ${waitText(error.retryAfterSeconds)}.`;
  return commonFailure(error);
}

/** The message for failures that any call may have: no connection, a failing server, a validation error. */
export function commonFailure(error: GatewayError): string {
  if (error.status === 0) return "The server could not be reached. Check your connection and try again.";
  if (error.status >= 500) return "The server can't answer right now. Try again in a moment.";
  return messagesOf(error).join(" ");
}

function waitText(seconds: number | undefined): string {
  if (seconds === undefined) return "in a minute";
  if (seconds < 60) return seconds <= 1 ? "in a second" : `in ${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "in a minute" : `in ${minutes} minutes`;
}
