/** What tests read CSV with. The package's own types would bring the globals of Node into the web app. */
export function parse(text: string, options: { newline: "\r\n"; delimiter: string }): { data: string[][]; errors: object[] };
