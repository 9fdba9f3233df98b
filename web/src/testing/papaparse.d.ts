/** CSV parser for tests. The package's own types would add the globals of Node to the web app. */
export function parse(text: string, options: { newline: "\r\n"; delimiter: string }): { data: string[][]; errors: object[] };
