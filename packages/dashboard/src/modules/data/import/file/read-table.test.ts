import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zip } from '../../../../../test/support/zip.ts'
import { chunkOf, readTable, type Choice, type Table } from './read-table.ts'

const read = (content: string | Uint8Array, choice: Choice = {}) =>
  readTable(new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content), choice)
async function tableOf(...args: Parameters<typeof read>): Promise<Table> {
  const found = await read(...args)
  assert.ok(found.ok, JSON.stringify(found))
  return found.table
}
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
/** «رقم;الفئة» and «u1;ذهبي» as an Arabic Excel writes them. */
const WINDOWS_1256 = Uint8Array.from([
  0xd1, 0xde, 0xe3, 0x3b, 0xc7, 0xe1, 0xdd, 0xc6, 0xc9, 0x0d, 0x0a, 0x75, 0x31, 0x3b, 0xd0, 0xe5, 0xc8, 0xed,
])

test('encodings are told: UTF-8, UTF-16 with and without a mark, and the Arabic one of Windows', async () => {
  const text = 'id,الفئة\nu1,ذهبي'
  const cases = [
    ['utf-8', text],
    ['utf-8', `\ufeff${text}`],
    ['utf-16le', utf16(`\ufeff${text}`)],
    ['utf-16le', utf16('id,tier\nu1,ذهبي')],
    ['utf-16be', utf16(`\ufeff${text}`).map((_, at, all) => all[at ^ 1] ?? 0)],
  ] as const
  for (const [encoding, content] of cases) {
    const { shape, rows } = await tableOf(content)
    assert.equal(shape.encoding, encoding)
    assert.equal(shape.header[0], 'id')
    assert.deepEqual(rows, [['u1', 'ذهبي']])
  }
  const { shape, rows } = await tableOf(WINDOWS_1256)
  assert.deepEqual([shape.encoding, shape.separator, shape.header, rows], ['windows-1256', ';', ['رقم', 'الفئة'], [['u1', 'ذهبي']]])
  assert.notDeepEqual((await tableOf(WINDOWS_1256, { encoding: 'windows-1252' })).rows, rows, 'and can be chosen')
})

test('separators are told, the bar too, and can be chosen; quoted cells hold line ends', async () => {
  for (const mark of [',', ';', '\t', '|'] as const)
    assert.deepEqual((await tableOf(`id${mark}note\nu1${mark}"a\nb"`)).rows, [['u1', 'a\nb']])
  assert.deepEqual((await tableOf('a;b,c\n1;2,3', { separator: ',' })).rows, [['1;2', '3']])
})

test('a first line of Excel names the separator and is no heading', async () => {
  for (const [first, separator] of [
    ['sep=;\r\n', ';'],
    ['"sep=|"\n', '|'],
    ['\ufeffSEP=\t\n', '\t'],
  ] as const) {
    const { shape, rows } = await tableOf(`${first}id${separator}a,b\nu1${separator}1,5`)
    assert.deepEqual([shape.separator, shape.header, rows], [separator, ['id', 'a,b'], [['u1', '1,5']]], first)
  }
  assert.deepEqual((await tableOf('sep,a\nu,1')).shape.header, ['sep', 'a'])
})

test('dates and phone numbers are sent as imports take them; what Excel shortened is noticed', async () => {
  const table = await tableOf('Mobile;Born;Since\n0501234567;31/12/1990;01/09/1445\n9.66E+11;01/02/1991;x')
  assert.deepEqual(
    table.shape.notes.map(({ dates, shortened, withoutCountry }) => [dates.map(({ order }) => order), shortened, withoutCountry]),
    [
      [[], 1, 1],
      [['dmy'], 0, 0],
      [[], 0, 0],
    ],
  )
  const columns = [
    { at: 1, conversion: { kind: 'date', reading: { order: 'dmy', calendar: 'gregorian' }, timeZone: 'UTC' } },
    { at: 2, conversion: { kind: 'date', reading: { order: 'dmy', calendar: 'hijri' }, timeZone: 'UTC' } },
    { at: 0, conversion: { kind: 'phone', countryCode: '966' } },
  ] as const
  assert.deepEqual(chunkOf(table, 1, columns), [
    ['1990-12-31', '2024-03-11', '+966501234567'],
    ['1991-02-01', 'x', '9.66E+11'],
  ])
})

test('headings without a name or with a taken one get one; blank rows and ends are nothing', async () => {
  const { shape, rows } = await tableOf('id,tier,,tier,,\nu1,gold,x,silver,,\n,,,,,\nu2,gold,,,,,,extra')
  assert.deepEqual(shape.header, ['id', 'tier', 'Column 3', 'tier (2)'])
  assert.equal(rows.length, 2)
  assert.deepEqual(shape.overfull, { count: 1, first: 2 })
  assert.deepEqual(shape.samples[1], ['gold'])
})

test('why a file is not taken', async () => {
  const faultOf = async (...args: Parameters<typeof read>) => {
    const found = await read(...args)
    return found.ok ? undefined : found.fault
  }
  assert.equal(await faultOf('id,a\n'), 'no_rows')
  assert.equal(await faultOf(`id,a\n${'u,1\n'.repeat(200_001)}`), 'too_many_rows')
  assert.equal(await faultOf(`id,a\n${'u,1\n'.repeat(200_000)}`), undefined)
  assert.equal(await faultOf('id,a\nu,"x'), 'unreadable')
  assert.equal(await faultOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)), 'old_excel')
  assert.equal(await faultOf(Uint8Array.of(0x50, 0x4b, 3, 4)), 'unreadable')
})

test('a chunk has the wanted columns only, and no more than one request should carry', async () => {
  const table = await tableOf(`id,a,b\n${Array.from({ length: 5_000 }, (_, at) => `u${at},${at},x`).join('\n')}`)
  const chunk = chunkOf(table, 2_001, [{ at: 1 }, { at: 0 }])
  assert.equal(chunk.length, 2_000)
  assert.deepEqual(chunk[0], ['2000', 'u2000'])
  assert.equal(chunkOf(table, 4_999, [{ at: 0 }]).length, 2)
  assert.equal(chunkOf({ ...table, rows: Array.from({ length: 100 }, () => ['x'.repeat(100_000)]) }, 1, [{ at: 0 }]).length, 20)
})

test('an Excel workbook: shared, inline and rich texts, dates, numbers, switches, gaps and entities', async () => {
  const sheet = `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>since</t></is></c><c r="C1" t="s"><v>1</v></c><c r="D1" t="str"><v>vip</v></c></row>
    <row r="2"/>
    <row r="3"><c r="A3"><v>966501234567</v></c><c r="B3" s="1"><v>45000</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="D3" t="b"><v>1</v></c><c r="XFD3" s="1"/></row>
    <row r="4"><c r="A4" t="inlineStr"><is><t>A &amp; &#x628;</t></is></c><c r="B4" s="2"><v>45000.75</v></c><c r="D4" t="e"><v>#N/A</v></c></row>
    </sheetData></worksheet>`
  const file = zip({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="People &amp; more" sheetId="1" r:id="rId7"/><sheet name="Empty" r:id="rId8"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Target="worksheets/sheet1.xml" Id="rId7"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
    'xl/sharedStrings.xml': '<sst><si><t>id</t></si><si><r><t>po</t></r><r><t>ints</t></r><rPh><t>!</t></rPh></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  })
  const { shape, rows } = await tableOf(file)
  assert.deepEqual(shape.header, ['id', 'since', 'points', 'vip'])
  assert.deepEqual(rows, [
    ['966501234567', '2023-03-15', '0.3', 'true'],
    ['A & ب', '2023-03-15T18:00:00Z'],
  ])
  assert.equal(shape.timeZone, 'UTC')
  // Its times are those of the workspace; a day stays a day.
  const ofRiyadh = await tableOf(file, { timeZone: 'Asia/Riyadh' })
  assert.deepEqual(
    [ofRiyadh.rows[0]?.[1], ofRiyadh.rows[1]?.[1], ofRiyadh.shape.timeZone],
    ['2023-03-15', '2023-03-15T15:00:00Z', 'Asia/Riyadh'],
  )
  assert.equal((await tableOf('id,at\nu,2023-03-15T18:00:00', { timeZone: 'Asia/Riyadh' })).shape.timeZone, null)
  assert.deepEqual([shape.sheets, shape.encoding], [['People & more', 'Empty'], null])
})

test('an Excel workbook: days before March 1900, the calendar of 1904, and numbers that are shown with zeros before them', async () => {
  const cell = (style: number, value: number | string) => `<c s="${style}"><v>${value}</v></c>`
  const formats = ['0000000000', '000\\-0000', '"05"00000000', '0', '#,##0', '0 "SAR"', '00.00']
  const rowsOf = async (from1904: boolean, ...rows: string[]) => {
    const file = zip({
      'xl/workbook.xml': `<workbook>${from1904 ? '<workbookPr date1904="1"/>' : ''}<sheets><sheet name="A" r:id="r"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Target="worksheets/sheet1.xml" Id="r"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="str"><v>a</v></c></row>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData></worksheet>`,
      'xl/styles.xml': `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="14"/>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    })
    return (await tableOf(file)).rows.map(([value]) => value)
  }
  const days = [1, 59, 60, 61, 45_000].map((serial) => cell(0, serial))
  assert.deepEqual(await rowsOf(false, ...days), ['1900-01-01', '1900-02-28', '60', '1900-03-01', '2023-03-15'])
  assert.deepEqual(await rowsOf(true, cell(0, 0), cell(0, 43_538)), ['1904-01-01', '2023-03-15'])
  const numbers = [501234567, 5551234, 1234567, 7, 1200, 450, 1.5].map((number, at) => cell(at + 1, number))
  assert.deepEqual(await rowsOf(false, ...numbers), ['0501234567', '555-1234', '0501234567', '7', '1200', '450', '1.5'])
  assert.deepEqual(await rowsOf(false, cell(1, 966501234567), cell(1, -5)), ['966501234567', '-5'])
})
