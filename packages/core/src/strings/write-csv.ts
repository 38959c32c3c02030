/** What a cell is quoted for, by the separator of the line. */
const NEEDS_QUOTES = { ',': /[",\r\n]/, '\t': /["\t\r\n]/ }
type Separator = keyof typeof NEEDS_QUOTES

/**
 * One line of separated values with its line end (RFC 4180). Texts go out as they are, also those a
 * spreadsheet would take for a formula: a mark before them would come back as part of the text.
 */
export function csvLine(cells: readonly string[], separator: Separator = ','): string {
  // A line of one empty cell would be no row.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map((text) => csvCell(text, separator)).join(separator)}\r\n`
}

function csvCell(text: string, separator: Separator): string {
  return NEEDS_QUOTES[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
