/** Three lines on either side, as the gateway stores them. */
export function anchorAt(text: string, line: number) {
  const lines = text.split("\n");
  const at = (from: number, to: number) => lines.slice(Math.max(0, from), Math.max(0, to)).map((one) => one.slice(0, 300));
  return {
    kind: "line" as const,
    iterationId: 1,
    line,
    text: at(line - 1, line)[0] ?? "",
    before: at(line - 4, line - 1),
    after: at(line, line + 3),
  };
}

export const processor = (name: string, { period = "1 min", more = "" } = {}): string => `      {
        "identifier": "id-${name}",
        "name": "${name}",
        "type": "org.apache.nifi.processors.standard.InvokeHTTP",
        "properties": {
          "Read Timeout": "15 secs",
          "Retries": "3"${more}
        },
        "penaltyDuration": "30 sec",
        "schedulingPeriod": "${period}",
        "yieldDuration": "1 sec"
      }`;
export const flow = (...processors: string[]): string => `{
  "flowContents": {
    "processors": [
${processors.join(",\n")}
    ]
  }
}`;

export const lineOf = (text: string, wanted: string, nth = 1): number => {
  const found = text.split("\n").flatMap((line, index) => (line.includes(wanted) ? [index + 1] : []));
  return found[nth - 1] ?? 0;
};

export const one = flow(processor("Fetch"));
