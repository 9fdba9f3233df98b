export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Destination of traces, and how they are sent. */
export interface TracingSettings {
  /** The address that spans are posted to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof samplers)[number];
  /** Share of the traces that a sampler by ratio keeps. */
  readonly ratio: number;
}

/** The standard variables, as far as they are set. */
interface TracingVariables {
  readonly isDisabled: boolean;
  readonly endpoint: string | undefined;
  readonly tracesEndpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly serviceName: string;
  readonly sampler: TracingSettings["sampler"];
  readonly ratio: number;
}

/** Undefined = no traces: tracing is on only if an address is set. */
export function tracingSettings(variables: TracingVariables): TracingSettings | undefined {
  const { isDisabled, endpoint, tracesEndpoint, headers = {}, ...rest } = variables;
  if (isDisabled) return undefined;
  // As the standard says: the address for all signals is a base, the one for traces is used as it is.
  const url = tracesEndpoint ?? (endpoint === undefined ? undefined : `${endpoint.replace(/\/$/, "")}/v1/traces`);
  return url === undefined ? undefined : { url, headers, ...rest };
}

/** `name=value,name=value` with values in percent-encoding; undefined for anything else. */
export function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const end = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, end)).trim();
    const value = decoded(pair.slice(end + 1).trim());
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined;
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
