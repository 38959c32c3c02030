const NEEDS_QUOTES = /[",\r\n]/

/**
 * One line of comma separated values with its line end (RFC 4180). Texts go out as they are, also those a
 * spreadsheet would take for a formula: a mark before them would come back as part of the text.
 */
export function csvLine(cells: readonly string[]): string {
  // A line of one empty cell would be no row.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
