/** Converts cells in the browser before they are sent: dates into the form that imports take, phone numbers with their country code. */
import { dateReadingsOf, readDate, type DateReading } from '@contentflow/core/imports/date-reading.ts'
import { lacksCountry, withCountry } from '@contentflow/core/imports/phone-country.ts'

/** Findings about the cells of a column. */
export type ColumnNotes = {
  /** How its dates may be written; none when they need no conversion, or are no dates. */
  dates: DateReading[]
  /** Cells of those looked at that Excel shortened, such as 9.66E+11: their last digits are lost. */
  shortened: number
  /** Phone numbers of those looked at that lack the code of a country. */
  withoutCountry: number
}
export type Conversion = { kind: 'date'; reading: DateReading; timeZone: string } | { kind: 'phone'; countryCode: string }
/** The position of a column in the file, and its conversion. */
export type SentColumn = { at: number; conversion?: Conversion | undefined }

const SHORTENED = /^\d(?:[.,]\d+)?e\+?\d{1,2}$/i

export function notesOf(values: readonly string[]): ColumnNotes {
  return {
    dates: dateReadingsOf(values),
    shortened: values.filter((value) => SHORTENED.test(value.trim())).length,
    withoutCountry: values.filter(lacksCountry).length,
  }
}

/** A cell that is no such date is sent as it is, and the dry run reports it. */
export function convert(cell: string, conversion: Conversion | undefined): string {
  if (!conversion || cell.trim() === '') return cell
  switch (conversion.kind) {
    case 'date':
      return readDate(cell, conversion.reading, conversion.timeZone) ?? cell
    case 'phone':
      return withCountry(cell, conversion.countryCode)
    default:
      return conversion satisfies never
  }
}
