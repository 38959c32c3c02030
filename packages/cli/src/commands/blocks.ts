import { planManifest } from '@contentflow/core/blocks/plan-manifest.ts'
import { openApi, type Api } from '../api.ts'
import { compareBlocks, type BlockDifference } from '../compare-blocks.ts'
import { readValue } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { fileOf } from '../project.ts'
import type { Style } from '../style.ts'

type Options = { json?: boolean; prune?: boolean }
export type BlocksReport = {
  created: string[]
  updated: string[]
  unchanged: string[]
  archived: string[]
  errors: { index: number; key: string | null; error: string }[]
  instances: { created: number; updated: number }
}
const SIGNS = { created: '+', changed: '~', archived: '-' } as const
const TONES = { created: 'added', changed: 'changed', archived: 'removed' } as const

/** Shows what a sync would change in block types. Instances that the manifest seeds are not compared. */
export async function blocksDiff(io: Io, { json }: Options, typed?: string): Promise<Exit> {
  const file = fileOf(io, typed, 'manifest')
  const declared = readManifest(io, file, true)
  const api = openApi(io)
  const show = (value: unknown) => (json ? JSON.stringify(value) : io.style.isolate(JSON.stringify(value)))
  const differences = compareBlocks(declared, await readDeclared(api), show)
  if (json) io.out(`${JSON.stringify({ differences })}\n`)
  else if (differences.length === 0) io.out('The block types are those of the manifest\n')
  else for (const difference of differences) io.out(describe(io.style, difference))
  return differences.length === 0 ? SAME : DIFFERS
}

/** Declares the file as it is; what could not be taken ends with an error, after the rest has landed. */
export async function blocksSync(io: Io, { json, prune }: Options, typed?: string): Promise<Exit> {
  const file = fileOf(io, typed, 'manifest')
  const report = await sendManifest(io, openApi(io), file, prune)
  if (json) io.out(`${JSON.stringify(report)}\n`)
  else {
    for (const word of ['created', 'updated', 'archived'] as const) for (const key of report[word]) io.out(`${word} ${key}\n`)
    const { created, updated } = report.instances
    io.out(`${report.unchanged.length} unchanged; ${created} instances made, ${updated} updated\n`)
  }
  refuseErrors(report)
  return SAME
}

/** Declares the block types of a file. One that cannot be taken as it stands is refused before anything is sent. */
export async function sendManifest(io: Io, api: Api, file: string, prune = false): Promise<BlocksReport> {
  readManifest(io, file, prune)
  const manifest = readValue(io, file) as object
  return api.call<BlocksReport>('write', 'POST', '/sdk/v1/cards/sync', { body: { ...manifest, ...(prune && { prune: true }) } })
}

export function refuseErrors({ errors }: BlocksReport): void {
  if (errors.length > 0) throw new Problem(errors.map(({ index, key, error }) => `${key ?? `blocks[${index}]`}: ${error}`).join('\n'))
}

/** The block types of the workspace, as a manifest declares them. */
export async function readDeclared(api: Api): Promise<{ key: string }[]> {
  const { blocks } = await api.call<{ blocks: { key: string }[] }>('write', 'GET', '/api/v1/cards/sync')
  return blocks
}

function readManifest(io: Io, file: string, mayBeEmpty: boolean) {
  const manifest = readValue(io, file)
  const read = planManifest(mayBeEmpty && typeof manifest === 'object' ? { ...manifest, prune: true } : manifest)
  if (!read.ok) throw new Problem(`${file}: ${read.error}`, 'FILE')
  const { definitions, errors } = read.plan
  if (errors.length > 0)
    throw new Problem(errors.map(({ index, key, error }) => `${file}: ${key ?? `blocks[${index}]`}: ${error}`).join('\n'), 'FILE')
  return definitions
}

function describe({ paint }: Style, { key, change, details }: BlockDifference): string {
  const head = paint(TONES[change], `${SIGNS[change]} ${key} ${change}`)
  return [head, ...details.map((detail) => `    ${detail}`)].map((line) => `${line}\n`).join('')
}
