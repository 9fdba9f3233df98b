export const tools = [{ name: "search_rows", title: "Search rows", description: "Rows of a dataset." }];
