import { planManifest } from '@contentflow/core/blocks/plan-manifest.ts'
import { openApi, type Api } from '../api.ts'
import { compareBlocks, type BlockDifference } from '../compare-blocks.ts'
import { readValue } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean; prune?: boolean }
type Report = {
  created: string[]
  updated: string[]
  unchanged: string[]
  archived: string[]
  errors: { index: number; key: string | null; error: string }[]
  instances: { created: number; updated: number }
}
const SIGNS = { created: '+', changed: '~', archived: '-' } as const

/** Shows what a sync would change in block types. Instances that the manifest seeds are not compared. */
export async function blocksDiff(io: Io, { json }: Options, file: string): Promise<Exit> {
  const declared = readManifest(io, file, true)
  const api = openApi(io)
  const differences = compareBlocks(declared, await readDeclared(api))
  if (json) io.out(`${JSON.stringify({ differences })}\n`)
  else if (differences.length === 0) io.out('The block types are those of the manifest\n')
  else for (const difference of differences) io.out(describe(difference))
  return differences.length === 0 ? SAME : DIFFERS
}

/** Declares the file as it is; what could not be taken ends with an error, after the rest has landed. */
export async function blocksSync(io: Io, { json, prune }: Options, file: string): Promise<Exit> {
  readManifest(io, file, prune === true)
  const manifest = readValue(io, file) as object
  const report = await openApi(io).call<Report>('write', 'POST', '/sdk/v1/cards/sync', {
    body: { ...manifest, ...(prune && { prune: true }) },
  })
  if (json) io.out(`${JSON.stringify(report)}\n`)
  else {
    for (const word of ['created', 'updated', 'archived'] as const) for (const key of report[word]) io.out(`${word} ${key}\n`)
    const { created, updated } = report.instances
    io.out(`${report.unchanged.length} unchanged; ${created} instances made, ${updated} updated\n`)
  }
  if (report.errors.length > 0)
    throw new Problem(report.errors.map(({ index, key, error }) => `${key ?? `blocks[${index}]`}: ${error}`).join('\n'))
  return SAME
}

/** The block types of the workspace, as a manifest declares them. */
export async function readDeclared(api: Api): Promise<{ key: string }[]> {
  const { blocks } = await api.call<{ blocks: { key: string }[] }>('write', 'GET', '/api/v1/cards/sync')
  return blocks
}

function readManifest(io: Io, file: string, mayBeEmpty: boolean) {
  const manifest = readValue(io, file)
  const read = planManifest(mayBeEmpty && typeof manifest === 'object' ? { ...manifest, prune: true } : manifest)
  if (!read.ok) throw new Problem(`${file}: ${read.error}`)
  const { definitions, errors } = read.plan
  if (errors.length > 0)
    throw new Problem(errors.map(({ index, key, error }) => `${file}: ${key ?? `blocks[${index}]`}: ${error}`).join('\n'))
  return definitions
}

function describe({ key, change, details }: BlockDifference): string {
  return [`${SIGNS[change]} ${key} ${change}`, ...details.map((detail) => `    ${detail}`)].map((line) => `${line}\n`).join('')
}
