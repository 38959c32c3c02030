import { confirm, isCancel } from '@clack/prompts'
import { BOUND_KINDS, CODE_KINDS, type BoundKind, type CodeKind } from '@contentflow/core/as-code/workspace-code.ts'
import { openApi, type Api } from '../api.ts'
import { formatOf, printValue, readValue, STANDARD, VALUES, writeText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { fileOf, findProject } from '../project.ts'
import type { Style } from '../style.ts'

export type Options = { json?: boolean; only?: string; prune?: string; yes?: boolean; planned?: string }
type Document = Partial<Record<CodeKind, object>>
export type Change = {
  kind: CodeKind
  key: string
  change: 'create' | 'change' | 'delete'
  members: string[]
  reach: {
    people: { gaining: number; losing: number } | null
    instances: number
    campaigns: string[]
    journeys: string[]
    segments: string[]
    strings: number
  }
  /** It stays a draft, or as it is, until a second person approves. */
  asks: boolean
  /** Created switched off, because it has no secret, or nobody knows it yet. */
  off: boolean
  /** The code with which the whole plan would be refused. */
  refused: string | null
}
/** Things that the file does not name and that stay. */
type Kept = Pick<Change, 'kind' | 'key'>
export type Plan = { version: string; changes: Change[]; kept: Kept[] }
type ApplyRequest = { document: Document; prune: readonly BoundKind[] }

const SIGNS = { create: '+', change: '~', delete: '-' } as const
const TONES = { create: 'added', change: 'changed', delete: 'removed' } as const

/** Writes the workspace as one document, in an order that is always the same. */
export async function workspaceExport(io: Io, { json, only }: Options, typed?: string): Promise<Exit> {
  const file = typed ?? findProject(io)?.document
  const kinds = kindsOf(only)
  const format = file === undefined || file === STANDARD ? 'yaml' : formatOf(file, VALUES)
  const document = await openApi(io).call<Document>('member', 'GET', `/api/v1/workspace/code?only=${kinds.join(',')}`)
  if (file === undefined || file === STANDARD) {
    io.out(json ? `${JSON.stringify(document)}\n` : printValue(format, document))
    return SAME
  }
  const counts = Object.entries(document).map(([kind, items]) => `${Object.keys(items).length} ${kind}`)
  writeText(io, file, printValue(format, document), json ? `${JSON.stringify({ file })}\n` : `${counts.join(', ')} in ${file}\n`)
  return SAME
}

/** Shows what the file would change, and for whom. */
export async function workspacePlan(io: Io, options: Options, typed?: string): Promise<Exit> {
  const plan = await askPlan(openApi(io), readWish(io, options, fileOf(io, typed, 'document')))
  show(io, options, plan)
  return plan.changes.length === 0 ? SAME : DIFFERS
}

/** Shows the plan, asks, and does exactly that; `--planned` does one that was looked at before. */
export async function workspaceApply(io: Io, options: Options, typed?: string): Promise<Exit> {
  const wish = readWish(io, options, fileOf(io, typed, 'document'))
  const api = openApi(io)
  const plan = await askPlan(api, wish)
  const isJson = options.json === true
  if (!isJson) show(io, options, plan)
  if (options.planned !== undefined && options.planned !== plan.version)
    throw new Problem(
      'The workspace or the file was changed since this plan was made; make another one and look at it',
      'WORKSPACE_CHANGED',
    )
  if (plan.changes.length > 0) {
    await confirmPlan(io, options, plan)
    await applyPlan(api, wish, plan)
  }
  if (isJson) io.out(`${JSON.stringify(plan)}\n`)
  else if (plan.changes.length > 0) io.out(`${plan.changes.length} changes applied\n`)
  return SAME
}

export function askPlan(api: Api, wish: ApplyRequest): Promise<Plan> {
  return api.call<Plan>('member', 'POST', '/api/v1/workspace/code/plan', { body: wish })
}

function applyPlan(api: Api, wish: ApplyRequest, { version }: Plan): Promise<unknown> {
  return api.call('member', 'POST', '/api/v1/workspace/code/apply', { body: { ...wish, version } })
}

/** Makes the workspace what the file says, without asking anybody; `others` are kinds that are left alone. */
export async function applyFile(io: Io, api: Api, file: string, others: readonly CodeKind[]): Promise<Plan> {
  const only = CODE_KINDS.filter((kind) => !others.includes(kind)).join(',')
  const wish = readWish(io, { only }, file)
  const plan = await askPlan(api, wish)
  if (plan.changes.length > 0) await applyPlan(api, wish, plan)
  return plan
}

export function readWish(io: Io, { only, prune }: Options, file: string): ApplyRequest {
  const value = readValue(io, file)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem(`${file} must be a document such as contentflow workspace export writes`, 'FILE')
  return { document: pickKinds(value, kindsOf(only)), prune: prune === undefined ? [] : readChoice('--prune', BOUND_KINDS, prune) }
}

/** Kinds that were not asked for are left alone. Unknown members stay, so that the server refuses them. */
function pickKinds(document: Document, kinds: readonly CodeKind[]): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !CODE_KINDS.some((kind) => kind === name && !kinds.includes(kind))))
}

function kindsOf(only: string | undefined): readonly CodeKind[] {
  return only === undefined ? CODE_KINDS : readChoice('--only', CODE_KINDS, only)
}

function readChoice<K extends CodeKind>(option: string, kinds: readonly K[], words: string): K[] {
  return words.split(',').map((word) => {
    const kind = kinds.find((each) => each === word.trim())
    if (!kind) throw new Problem(`${option} takes ${kinds.join(', ')}, not ${word}`, 'USAGE')
    return kind
  })
}

function show(io: Io, { json }: Options, plan: Plan): void {
  if (json) return io.out(`${JSON.stringify(plan)}\n`)
  for (const change of plan.changes) io.out(describe(io.style, change))
  for (const kept of plan.kept) io.out(describeKept(kept))
  if (plan.changes.length > 0) io.out(`${plan.changes.length} changes. Plan ${plan.version}\n`)
  else
    io.out(plan.kept.length === 0 ? 'The workspace is what the file says\n' : 'The workspace is what the file says, but for what stays\n')
}

function describeKept({ kind, key }: Kept): string {
  const isBound = BOUND_KINDS.some((each) => each === kind)
  const why = isBound
    ? `not in the file, and stays: it is of this installation; --prune ${kind} deletes it`
    : 'not in the file, and stays: it has begun, or is under review'
  return `= ${kind} ${key}\n    ${why}\n`
}

/** What happens to which thing. */
export function headOf({ paint, isolate }: Style, { kind, key, change }: Pick<Change, 'kind' | 'key' | 'change'>): string {
  return paint(TONES[change], `${SIGNS[change]} ${kind} ${isolate(key)}`)
}

function describe(style: Style, { kind, key, change, members, reach, asks, off, refused }: Change): string {
  const { people, instances, campaigns, journeys, segments, strings } = reach
  const lines = [
    ...(members.length > 0 ? [`differs in ${members.join(', ')}`] : []),
    ...(people ? [`${people.gaining} people come in, ${people.losing} go out`] : []),
    ...(kind === 'segments' && !people ? ['how many people come in and go out depends on segments that change too'] : []),
    ...(instances > 0 ? [`${instances} instances`] : []),
    ...(campaigns.length > 0 ? [`campaigns: ${campaigns.join(', ')}`] : []),
    ...(journeys.length > 0 ? [`journeys: ${journeys.join(', ')}`] : []),
    ...(strings > 0 ? [`${strings} translations go with it`] : []),
    ...(asks ? ['asks a second person, and stays as it is until then'] : []),
    ...(off && kind === 'webhooks' ? ['made switched off: rotate its secret, give it to the receiver, switch it on'] : []),
    ...(off && kind === 'channels' ? ['made switched off: enter its secrets, send a test, switch it on'] : []),
    ...(kind === 'webhooks' && change === 'delete'
      ? ['its secret and what is still to be sent go with it, and no file brings them back']
      : []),
    ...(kind === 'channels' && change === 'delete' ? ['its secrets go with it, and no file brings them back'] : []),
    ...(refused !== null ? [`cannot be done now, and nothing else of this plan: ${refused}`] : []),
    ...(segments.length > 0 ? [`left out by the segments ${segments.join(', ')}`] : []),
  ]
  return [headOf(style, { kind, key, change }), ...lines.map((line) => `    ${line}`)].map((line) => `${line}\n`).join('')
}

async function confirmPlan(io: Io, { yes, planned }: Options, { changes }: Plan): Promise<void> {
  if (yes || planned !== undefined) return
  if (!io.isTerminal)
    throw new Problem(
      'Nothing was changed: nobody can be asked here. Look at the plan, then apply it with --yes or --planned PLAN',
      'UNCONFIRMED',
    )
  const answer = await confirm({ message: `Make these ${changes.length} changes?`, initialValue: false })
  if (isCancel(answer) || !answer) throw new Problem('Nothing was changed', 'UNCONFIRMED')
}
