/** The figures as text. RESULTS.md keeps the rows of figures that were not measured this time; each says on which machine it was. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { printed } from './lib/processes.mjs'
import { count } from './lib/stats.mjs'

const FILE = new URL('./RESULTS.md', import.meta.url)

const WHERE = `
## Where the time goes

By \`npm run bench -- --profile DIR\`: the process under test from its start to its end, with what prepares the figure; the profile itself slows it. A part is a folder of the server, \`core/\` a folder of core, \`node:\` a part of Node, \`native\` a native function, any other name a package; \`(program)\` is native code that the profile cannot name.

`

export function describeRow(row) {
  return [`  ${row.name}: ${row.what}`, `    ${cells(row).slice(2).join(' | ')}`, ...row.made.map((line) => `    ${line}`)].join('\n')
}

export function writeReport(rows, options) {
  change(({ table, details }) => {
    for (const row of rows) {
      table.set(row.name, `| ${cells(row).join(' | ')} |`)
      details.set(row.name, `**${row.name}** ${row.made.join(' ')} ${whenMeasured(options)}`)
    }
  })
}

/** Writes where the time of each figure went. */
export function writeTimes(list, options) {
  change(({ times }) => {
    for (const time of list) times.set(time.name, `- ${describeTime(time)} ${whenMeasured(options)}`)
  })
}

/** One line: how busy the process was, what PostgreSQL took, and the parts of the code by their share of the busy time. */
export function describeTime({ name, busy, busySeconds, seconds, postgresSeconds, parts }) {
  const shares = parts.map(([part, share]) => `${part} ${Math.round(share * 100)} %`).join(', ')
  const waited = `computed for ${busySeconds.toFixed(1)} s of its time (${Math.round(busy * 100)} %) and waited for the rest`
  return `**${name}**: the process ${waited}; PostgreSQL computed for ${postgresSeconds.toFixed(1)} s of the ${seconds.toFixed(0)} s of the figure. Of the process: ${shares}.`
}

/** Reads the rows and lines of RESULTS.md, lets `edit` set some, and writes the page. */
function change(edit) {
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const found = (pattern) => new Map([...old.matchAll(pattern)].map(([line, name]) => [name, line]))
  const kept = { table: found(/^\| `(\S+)` .*$/gm), details: found(/^\*\*(\S+)\*\* .*$/gm), times: found(/^- \*\*(\S+)\*\*: .*$/gm) }
  edit(kept)
  writeFileSync(FILE, page(...Object.values(kept).map((lines) => [...lines.values()])))
  process.stdout.write('Written to bench/RESULTS.md\n')
}

function whenMeasured({ rounds, seconds }) {
  return `Measured ${new Date().toISOString().slice(0, 10)} on ${describeMachine()}: ${rounds} rounds, ${seconds} s under load.`
}

/** Without a `target` a row only shows the figure. */
function cells({ name, what, target, value, limitValue, spread, ours, limit }) {
  if (!target) return [`\`${name}\``, what, 'none', `${figure(value)} (${spread})`, ours, limit, '']
  const unit = target.unit ? ` ${target.unit}` : ''
  const isMet = target.least === undefined ? value <= target.most : value >= target.least
  const isJudged = isMet || limitValue === undefined || limitValue <= target.most
  const wanted = target.least ?? target.most
  const off = Math.abs(value / wanted - 1) * 100
  return [
    `\`${name}\``,
    what,
    target.least === undefined ? `at most ${wanted}${unit}` : `at least ${figure(wanted)}${unit}`,
    `${figure(value)}${unit}${spread ? ` (${spread})` : ''}`,
    ours,
    limit,
    !isJudged ? '**not judged**: the limit missed it too, the machine was busy' : isMet ? 'met' : `**missed by ${off.toFixed(0)} %**`,
  ]
}

/** As many places as say something. */
function figure(value) {
  return value >= 1_000 ? count(value) : value.toFixed(value >= 10 ? 1 : 2)
}

function describeMachine() {
  const [cpu] = cpus()
  const postgres = printed('psql', process.env.TEST_DATABASE_URL, '-Atc', 'show server_version')?.trim() || 'unknown (no psql here)'
  const memory = `${(totalmem() / 1024 ** 3).toFixed(1)} GB`
  return `${cpu.model}, ${cpus().length} cores, ${memory}, Linux ${release()}, Node ${process.version}, PostgreSQL ${postgres}`
}

function page(table, details, times) {
  return `# Measured

Made by \`npm run bench\`; do not edit. \`npm run bench -- sync-200\` measures some figures anew.

Every figure stands beside a limit measured in the same run, in turn with the product: a \`node:http\` server that does nothing but send the same bytes with the same headers (\`bare-server.mjs\`), or what its row names. The server under test is one process with core 0 to itself, what loads it runs on core 1; PostgreSQL runs where the kernel puts it. Values are medians of the rounds; the lowest and highest round stand in brackets. Rows were measured on more than one machine: each says below on which, and only what stands in one row can be compared.

| Figure | What | Target | Measured | Product | Limit | Verdict |
| --- | --- | --- | --- | --- | --- | --- |
${table.join('\n')}

## What the figures are made of

${details.join('\n\n')}
${times.length > 0 ? WHERE + times.join('\n') + '\n' : ''}`
}
