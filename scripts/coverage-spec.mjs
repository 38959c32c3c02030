// Compares docs/coverage.md with the tests; --write fills the Proof column, --due <area> lists what is open there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TABLE = `${ROOT}docs/coverage.md`
const REQUIREMENTS = 1077

// The groups matter only when an id loses its tests; groups not named here go back to foundation.
const GROUPS_OF_AREA = {
  foundation: [],
  people: [
    'C-DEV',
    'C-IDN',
    'C-ERASE',
    'C-OUT',
    'C-TRK',
    'C-PROF',
    'C-CONS',
    'C-PUSH',
    'C-LOC',
    'C-SEG',
    'M-READ',
    'M-BULK',
    'M-SUPP',
    'M-SEG',
  ],
  events: ['C-EVT'],
  strings: ['C-STR', 'M-STRS'],
  campaigns: ['C-CAMP', 'M-CAMP'],
  journeys: ['M-JRN'],
  imports: ['M-ENR', 'M-SRC', 'M-PRIO'],
  channels: ['M-CHAN', 'M-NOTIF', 'M-DISP'],
  webhooks: ['M-HOOK'],
  assets: ['M-CONT'],
  sdk: [],
}
const AREAS = Object.keys(GROUPS_OF_AREA)

const groupOf = (id) => id.slice(0, id.lastIndexOf('-'))
const areaOf = (id) => AREAS.find((area) => GROUPS_OF_AREA[area].includes(groupOf(id))) ?? 'foundation'

/** All ids in a text, ranges such as C-AUTH-16..18 written out. */
function idsIn(text) {
  return [...text.matchAll(/\b([CMX]-[A-Z]+-)(\d+)(?:\.\.\1?(\d+))?/g)].flatMap(([whole, prefix, first, last = first]) => {
    const count = Number(last) - Number(first) + 1
    // A range running backwards stays as written, so that it is reported as unknown.
    if (count < 1) return [whole]
    return Array.from({ length: count }, (_, step) => prefix + String(Number(first) + step).padStart(first.length, '0'))
  })
}

function* testFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* testFiles(`${folder}/${entry.name}`)
    else if (entry.isFile() && entry.name.endsWith('.test.ts')) yield `${folder}/${entry.name}`
  }
}

function testNames(source) {
  // A test that is commented out proves nothing.
  const code = source.replace(/^[ \t]*(?:\/\/|\/?\*).*$/gm, '')
  return [...code.matchAll(/(?<![\w$.])(?:t\.test|test|it)\(\s*(['"`])((?:\\[^]|(?!\1)[^\\])*)\1/g)].map((match) => match[2])
}

/** Id to the short names of the files that prove it. */
function proofsFromTests() {
  const proofs = new Map()
  for (const path of testFiles(`${ROOT}packages`)) {
    const file = path.slice(`${ROOT}packages/`.length).replace(/\/src\/(modules\/)?/, '/')
    for (const id of testNames(readFileSync(path, 'utf8')).flatMap(idsIn)) {
      if (!proofs.has(id)) proofs.set(id, new Set())
      proofs.get(id).add(file)
    }
  }
  return new Map([...proofs].map(([id, files]) => [id, [...files].toSorted((a, b) => (a < b ? -1 : 1)).join(', ')]))
}

function readRow(line) {
  const [, id, text, proof] = /^\| ([CMX]-[A-Z]+-\d+) \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? []
  return id ? { id, text, proof } : undefined
}

function kindOf(proof) {
  return /^(due|none|see)\b(?=:? )/.exec(proof)?.[1] ?? 'tested'
}

function rewrite(line, proofs) {
  const row = readRow(line)
  if (!row) return line
  const lost = kindOf(row.proof) === 'tested' ? `due: ${areaOf(row.id)}` : row.proof
  return `| ${row.id} | ${row.text} | ${proofs.get(row.id) ?? lost} |`
}

function faultOf({ id, proof }, known, proofs) {
  const tests = proofs.get(id)
  const kind = kindOf(proof)
  if (tests !== undefined) return tests === proof ? undefined : `${id}: tests say "${tests}", the row says "${proof}"`
  if (kind === 'tested') return `${id}: the row says "${proof}", but no test names the id`
  if (kind === 'none') return /^none: \S/.test(proof) ? undefined : `${id}: "${proof}" gives no reason`
  if (kind === 'due') return AREAS.includes(proof.slice('due: '.length)) ? undefined : `${id}: unknown area in "${proof}"`
  if (!/^see [^\s,]+(, [^\s,]+)*$/.test(proof)) return `${id}: "${proof}" is not a list of ids`
  const unknown = proof
    .slice('see '.length)
    .split(', ')
    .filter((target) => !known.has(target))
  return unknown.length > 0 ? `${id}: see points to unknown ${unknown.join(', ')}` : undefined
}

function findFaults(lines, rows, proofs) {
  const known = new Set(rows.map((row) => row.id))
  const counted = new Set()
  return [
    ...lines.filter((line) => /^\|\s*[CMX]-/.test(line) && !readRow(line)).map((line) => `unreadable row: ${line}`),
    ...rows.filter(({ id }) => counted.has(id) || !counted.add(id)).map(({ id }) => `${id}: stands in the table twice`),
    ...(known.size === REQUIREMENTS ? [] : [`the table has ${known.size} ids, not ${REQUIREMENTS}`]),
    ...[...proofs].filter(([id]) => !known.has(id)).map(([id, files]) => `${id}: named in ${files}, not in the table`),
    ...rows.map((row) => faultOf(row, known, proofs)).filter((fault) => fault !== undefined),
  ]
}

function countLine(title, rows) {
  const count = (kind) => rows.filter((row) => kindOf(row.proof) === kind).length
  return `${title}: ${count('tested')} tested, ${count('see')} see, ${count('none')} none, ${count('due')} due`
}

const { values: flags } = parseArgs({ options: { write: { type: 'boolean' }, due: { type: 'string' } } })
if (flags.due !== undefined && !AREAS.includes(flags.due)) {
  console.error(`unknown area "${flags.due}", one of: ${AREAS.join(', ')}`)
  process.exit(1)
}

const proofs = proofsFromTests()
const stored = readFileSync(TABLE, 'utf8')
const current = flags.write
  ? stored
      .split('\n')
      .map((line) => rewrite(line, proofs))
      .join('\n')
  : stored
if (current !== stored) writeFileSync(TABLE, current)

const lines = current.split('\n')
const rows = lines.map(readRow).filter((row) => row !== undefined)
const dueIn = (area) => rows.filter((row) => row.proof === `due: ${area}`)

for (const group of new Set(rows.map((row) => groupOf(row.id))))
  console.log(
    countLine(
      group,
      rows.filter((row) => groupOf(row.id) === group),
    ),
  )
console.log(`\n${countLine(`all ${rows.length}`, rows)}\n`)
for (const area of AREAS) console.log(`due ${area}: ${dueIn(area).length}`)
if (flags.due !== undefined)
  console.log(
    `\n${dueIn(flags.due)
      .map((row) => `${row.id} ${row.text}`)
      .join('\n')}`,
  )

const faults = findFaults(lines, rows, proofs)
for (const fault of faults) console.error(`fault: ${fault}`)
if (faults.length > 0) process.exit(1)
