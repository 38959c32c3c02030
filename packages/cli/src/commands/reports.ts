import { answerCsv, answerTable, type Tabular } from '@contentflow/core/analysis/csv.ts'
import { openApi, type Api } from '../api.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Listed = { id: string; name: string; kind: string; isPinned: boolean }

/** Every saved report, by name. */
export async function reportsList(io: Io, { json }: { json?: boolean }): Promise<Exit> {
  const all = await listAll(openApi(io))
  if (json) io.out(`${JSON.stringify(all)}\n`)
  else if (all.length === 0) io.out('no report yet\n')
  else for (const { name, kind } of all) io.out(`${name} (${kind})\n`)
  return SAME
}

/** The answer to a saved report, as of now: a table, with `--csv` a file for spreadsheets. */
export async function reportsRun(
  io: Io,
  { json, csv, test }: { json?: boolean; csv?: boolean; test?: boolean },
  name: string,
): Promise<Exit> {
  const api = openApi(io)
  const found = (await listAll(api)).find((report) => report.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new Problem(`there is no report ${JSON.stringify(name)}; contentflow reports list shows what there is`, 'USAGE')
  const query = test ? '?environment=test' : ''
  const answer = await api.call<Tabular & Covered>('member', 'GET', `/api/v1/reports/${encodeURIComponent(found.id)}/result${query}`)
  if (json) io.out(`${JSON.stringify(answer)}\n`)
  else if (csv) io.out(answerCsv(answer))
  else io.out(`${inColumns(answerTable(answer))}${aboutOf(answer)}\n`)
  return SAME
}

type Covered = { asOf: string; sampled: { parts: number; of: number } | null }

function aboutOf({ asOf, sampled }: Covered): string {
  return `what arrived before ${asOf}${sampled ? `; estimated from ${sampled.parts} of ${sampled.of} parts of the people` : ''}`
}

async function listAll(api: Api): Promise<Listed[]> {
  const all: Listed[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    const page = await api.page('member', `/api/v1/reports?${query.toString()}`)
    all.push(...(page.data as { reports: Listed[] }).reports)
    cursor = page.metadata.nextCursor
  } while (cursor !== null)
  return all
}

/** Columns as wide as their longest cell. Control characters of names do not reach the terminal. */
function inColumns(rows: ReturnType<typeof answerTable>): string {
  const texts = rows.map((cells) => cells.map((cell) => String(cell ?? '').replaceAll(/\p{Cc}/gu, ' ')))
  const widths: number[] = []
  for (const cells of texts) for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return texts
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
