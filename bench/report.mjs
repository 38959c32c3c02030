/** The figures as text. RESULTS.md keeps the rows of figures that were not measured this time; each says on which machine it was. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { printed } from './lib/processes.mjs'
import { count } from './lib/stats.mjs'

const FILE = new URL('./RESULTS.md', import.meta.url)

export function describeRow(row) {
  return [`  ${row.name}: ${row.what}`, `    ${cells(row).slice(2).join(' | ')}`, ...row.made.map((line) => `    ${line}`)].join('\n')
}

export function writeReport(rows, { rounds, seconds }) {
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const table = new Map([...old.matchAll(/^\| `(\S+)` .*$/gm)].map(([line, name]) => [name, line]))
  const details = new Map([...old.matchAll(/^\*\*(\S+)\*\* .*$/gm)].map(([line, name]) => [name, line]))
  const day = new Date().toISOString().slice(0, 10)
  const when = `Measured ${day} on ${describeMachine()}: ${rounds} rounds, ${seconds} s under load.`
  for (const row of rows) {
    table.set(row.name, `| ${cells(row).join(' | ')} |`)
    details.set(row.name, `**${row.name}** ${row.made.join(' ')} ${when}`)
  }
  writeFileSync(FILE, page([...table.values()], [...details.values()]))
  process.stdout.write('Written to bench/RESULTS.md\n')
}

function cells({ name, what, target, value, limitValue, spread, ours, limit }) {
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

function page(table, details) {
  return `# Measured

Made by \`npm run bench\`; do not edit. \`npm run bench -- sync-200\` measures some figures anew.

Every figure stands beside a limit measured in the same run, in turn with the product: a \`node:http\` server that does nothing but send the same bytes with the same headers (\`bare-server.mjs\`), or what its row names. The server under test is one process with core 0 to itself, what loads it runs on core 1; PostgreSQL runs where the kernel puts it. Values are medians of the rounds; the lowest and highest round stand in brackets. Rows were measured on more than one machine: each says below on which, and only what stands in one row can be compared.

| Figure | What | Target | Measured | Product | Limit | |
| --- | --- | --- | --- | --- | --- | --- |
${table.join('\n')}

## What the figures are made of

${details.join('\n\n')}
`
}
