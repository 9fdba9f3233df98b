/** The workbook cannot be read. The message completes "The data cannot be read as XLSX: …". */
export class UnreadableWorkbook extends Error {
  override readonly name = "UnreadableWorkbook";
}
