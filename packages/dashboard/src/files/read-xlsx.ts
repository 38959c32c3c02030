/** The cells of a sheet of an Excel workbook (.xlsx) as texts: enough of the format to read a table, and nothing that runs. */
import { momentOf } from '@contentflow/core/calendar/zoned-time.ts'
import { openZip, type Zip } from './zip.ts'

export type Workbook = {
  sheets: string[]
  /** The rows of a sheet that hold anything, up to `most` of them. Its times, which name no time zone, are those of clocks in `timeZone`. */
  readRows(sheet: number, most: number, timeZone: string): Promise<{ rows: string[][]; hasTimes: boolean }>
}

/** Text of one file in the archive that is read whole. A workbook that unpacks to more is no table of people. */
const MOST_TEXT = 400_000_000
const MOST_CELLS = 1_000

/** Undefined when it is no such workbook. */
export async function openXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<Workbook | undefined> {
  const zip = openZip(bytes)
  const workbook = zip && (await textOf(zip, 'xl/workbook.xml'))
  if (!zip || workbook === undefined) return undefined
  const targets = targetsOf((await textOf(zip, 'xl/_rels/workbook.xml.rels')) ?? '')
  const sheets = [...workbook.matchAll(/<(?:\w+:)?sheet\s([^>]*)>/g)].map(([, attributes = '']) => ({
    name: unescape(attributeOf(attributes, 'name') ?? ''),
    path: targets.get(attributeOf(attributes, String.raw`\w+:id`) ?? '') ?? '',
  }))
  const reader = {
    strings: sharedStringsOf((await textOf(zip, 'xl/sharedStrings.xml')) ?? ''),
    styles: stylesOf((await textOf(zip, 'xl/styles.xml')) ?? ''),
    isFrom1904: /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(workbook),
  }
  return {
    sheets: sheets.map(({ name }) => name),
    readRows: async (sheet, most, timeZone) => {
      const cells = { ...reader, timeZone, hasTimes: false }
      return { rows: await readSheet(zip.stream(sheets[sheet]?.path ?? ''), cells, most), hasTimes: cells.hasTimes }
    },
  }
}

type CellReader = {
  strings: string[]
  styles: Styles
  isFrom1904: boolean
  timeZone: string
  /** Whether a time was among the cells so far. */
  hasTimes: boolean
}

async function readSheet(pieces: AsyncIterable<string> | undefined, reader: CellReader, most: number): Promise<string[][]> {
  const rows: string[][] = []
  let rest = ''
  for await (const piece of pieces ?? []) {
    rest += piece
    let read = 0
    for (const { 0: whole, 1: inside = '', index } of rest.matchAll(ROW)) {
      read = index + whole.length
      const cells = cellsOf(inside, reader)
      if (cells.some((cell) => cell.trim() !== '')) rows.push(cells)
      if (rows.length >= most) return rows
    }
    rest = rest.slice(read)
    if (rest.length > MOST_TEXT) throw new Error('a row of the sheet has no end')
  }
  return rows
}

const ROW = /<(?:\w+:)?row\b[^>]*?(?<!\/)>(.*?)<\/(?:\w+:)?row>/gs
const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs

function cellsOf(row: string, reader: CellReader): string[] {
  const cells: string[] = []
  let next = 0
  for (const [, attributes = '', inside = ''] of row.matchAll(CELL)) {
    const at = columnOf(attributeOf(attributes, 'r')) ?? next
    next = at + 1
    const value = valueOf(attributes, inside, reader)
    // Cells that only have a colour may be anywhere.
    if (value === '') continue
    if (at >= MOST_CELLS) throw new Error(`a row has more than ${MOST_CELLS} cells`)
    while (cells.length < at) cells.push('')
    cells[at] = value
  }
  return cells
}

function valueOf(attributes: string, inside: string, reader: CellReader): string {
  const { strings, styles } = reader
  const type = attributeOf(attributes, 't')
  if (type === 'inlineStr') return runsOf(inside)
  const value = unescape(/<(?:\w+:)?v\b[^>]*>(.*?)<\/(?:\w+:)?v>/s.exec(inside)?.[1] ?? '')
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  // #N/A and the like are no values.
  if (type === 'e') return ''
  if (value === '' || type === 'str' || type === 'd') return value
  const number = Number(value)
  const style = Number(attributeOf(attributes, 's') ?? 0)
  if (styles.dates.has(style)) return dateOf(number, reader) ?? value
  const digits = styles.digits.get(style)
  if (digits !== undefined && Number.isSafeInteger(number) && number >= 0) return withDigits(number, digits)
  // As Excel shows it: 0.1 + 0.2 becomes 0.3.
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
}

const DAY_MS = 86_400_000
/** Excel counts days from here, as if 1900 had had a February 29: before that day one day later. */
const FROM_1900 = Date.UTC(1899, 11, 30)
const FROM_1904 = Date.UTC(1904, 0, 1)
const NO_SUCH_DAY = 60

/** A day, or the moment that a clock shows. Undefined for what no calendar has, and for times without a day. */
function dateOf(serial: number, reader: CellReader): string | undefined {
  const isDayless = reader.isFrom1904 ? serial < 0 || (serial > 0 && serial < 1) : serial < 1 || Math.floor(serial) === NO_SUCH_DAY
  const days = reader.isFrom1904 || serial > NO_SUCH_DAY ? serial : serial + 1
  const time = new Date((reader.isFrom1904 ? FROM_1904 : FROM_1900) + Math.round(days * 86_400) * 1_000)
  if (isDayless || Number.isNaN(time.getTime()) || serial * DAY_MS > 2.5e14) return undefined
  const text = time.toISOString().slice(0, 19)
  if (text.endsWith('T00:00:00')) return text.slice(0, 10)
  reader.hasTimes = true
  return momentOf(text, reader.timeZone)?.toISOString().replace('.000Z', 'Z')
}

type Styles = {
  /** Numbers of styles that show a number as a day or a time. */
  dates: ReadonlySet<number>
  /** The number formats that pad with zeros, such as `0000000000`, in which phone numbers and codes are shown; by style. */
  digits: ReadonlyMap<number, string>
}

function stylesOf(styles: string): Styles {
  const own = new Map(
    [...styles.matchAll(/<(?:\w+:)?numFmt\s([^>]*)>/g)].map(([, attributes = '']) => [
      Number(attributeOf(attributes, 'numFmtId')),
      unescape(attributeOf(attributes, 'formatCode') ?? ''),
    ]),
  )
  const cellStyles = /<(?:\w+:)?cellXfs\b.*?<\/(?:\w+:)?cellXfs>/s.exec(styles)?.[0] ?? ''
  const formats = [...cellStyles.matchAll(/<(?:\w+:)?xf\b([^>]*)>/g)].map(([, attributes = '']) =>
    Number(attributeOf(attributes, 'numFmtId')),
  )
  return {
    dates: new Set(formats.flatMap((id, style) => (isDateFormat(id, own.get(id)) ? [style] : []))),
    digits: new Map(
      formats.flatMap((id, style): [number, string][] => {
        const digits = digitsFormatOf(own.get(id) ?? '')
        return digits === undefined ? [] : [[style, digits]]
      }),
    ),
  }
}

function isDateFormat(id: number, code: string | undefined): boolean {
  // Text in quotes or brackets is no part of the date.
  if (code !== undefined) return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
}

/** Zeros and separators between them, for numbers above zero; undefined for formats of quantities, which have one zero or a point. */
function digitsFormatOf(code: string): string | undefined {
  const [positive = ''] = code.split(';', 1)
  const between = [...positive.matchAll(/"([^"]*)"|\\(.)/g)].map(([, quoted, escaped]) => quoted ?? escaped ?? '').join('')
  const rest = positive.replaceAll(/"[^"]*"|\\./g, '')
  const isDigits = /^[-+() /\d]*$/.test(between) && /^[-+() /]*0[-+() /]*0[-+() /0]*$/.test(rest)
  return isDigits ? positive : undefined
}

/** `501234567` in the format `0000000000` is `0501234567`; further digits go to the first zero. */
function withDigits(number: number, format: string): string {
  const pieces = [...format.matchAll(/"([^"]*)"|\\(.)|(.)/g)]
  const places = pieces.filter(([, , , plain]) => plain === '0').length
  const digits = String(number).padStart(places, '0')
  const more = digits.length - places
  let at = 0
  return pieces
    .map(([, quoted, escaped, plain]) => {
      if (plain !== '0') return quoted ?? escaped ?? plain ?? ''
      const taken = digits.slice(at, at === 0 ? more + 1 : at + 1)
      at += taken.length
      return taken
    })
    .join('')
}

function sharedStringsOf(text: string): string[] {
  return [...text.matchAll(/<(?:\w+:)?si\b[^>]*?(?:\/>|>(.*?)<\/(?:\w+:)?si>)/gs)].map(([, inside = '']) => runsOf(inside))
}

/** The text of a cell with letters of different looks is in several pieces, with its pronunciation beside them. */
function runsOf(inside: string): string {
  const spoken = inside.replaceAll(/<(?:\w+:)?rPh\b.*?<\/(?:\w+:)?rPh>/gs, '')
  return [...spoken.matchAll(/<(?:\w+:)?t\b[^>]*?(?<!\/)>(.*?)<\/(?:\w+:)?t>/gs)].map(([, text = '']) => unescape(text)).join('')
}

function targetsOf(relations: string): Map<string, string> {
  return new Map(
    [...relations.matchAll(/<(?:\w+:)?Relationship\s([^>]*)>/g)].map(([, attributes = '']) => {
      const target = attributeOf(attributes, 'Target') ?? ''
      return [attributeOf(attributes, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`]
    }),
  )
}

async function textOf(zip: Zip, name: string): Promise<string | undefined> {
  const pieces = zip.stream(name)
  if (!pieces) return undefined
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > MOST_TEXT) throw new Error('the workbook is too large')
  }
  return text
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(String.raw`(?:^|\s)${name}="([^"]*)"`).exec(attributes)?.[1]
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (!letters) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  if (!text.includes('&') && !text.includes('_x')) return text
  return text
    .replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
