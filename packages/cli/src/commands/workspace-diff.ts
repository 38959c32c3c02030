import { itemsOf, type CodeKind, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import { cutText } from '@contentflow/core/cut-text.ts'
import { openApi } from '../api.ts'
import { DIFFERS, SAME, type Exit, type Io } from '../io.ts'
import { fileOf } from '../project.ts'
import type { Style } from '../style.ts'
import { askPlan, headOf, readWish, type Change, type Options } from './workspace.ts'

/** `path`: of the member, such as `values.#title`. What is not there is undefined. */
type Value = { path: string; before: unknown; after: unknown }
type Difference = Pick<Change, 'kind' | 'key' | 'change'> & { values: Value[] }
type Document = Partial<WorkspaceCode>

/** Characters of one value on its line. */
const MOST = 200

/** Shows what the file would change, with the values before and after. For whom, `workspace plan` says. */
export async function workspaceDiff(io: Io, options: Options, typed?: string): Promise<Exit> {
  const wish = readWish(io, options, fileOf(io, typed, 'document'))
  const api = openApi(io)
  const { changes } = await askPlan(api, wish)
  const kinds = [...new Set(changes.map(({ kind }) => kind))]
  const current = kinds.length === 0 ? {} : await api.call<Document>('member', 'GET', `/api/v1/workspace/code?only=${kinds.join(',')}`)
  const differences = changes.map((change) => differenceOf(change, current, wish.document as Document))
  if (options.json) io.out(`${JSON.stringify({ differences })}\n`)
  else if (differences.length === 0) io.out('The workspace is what the file says\n')
  else for (const difference of differences) io.out(describe(io.style, difference))
  return differences.length === 0 ? SAME : DIFFERS
}

function differenceOf({ kind, key, change, members }: Change, current: Document, wanted: Document): Difference {
  if (change !== 'change') return { kind, key, change, values: [] }
  const [before, after] = [itemOf(current, kind, key), itemOf(wanted, kind, key)]
  return { kind, key, change, values: members.flatMap((member) => compare(member, before?.[member], after?.[member])) }
}

function itemOf(document: Document, kind: CodeKind, key: string): Readonly<Record<string, unknown>> | undefined {
  const code = document[kind]
  return code === undefined ? undefined : itemsOf(kind, code).get(key)
}

/** Member by member, where both are objects. */
function compare(path: string, before: unknown, after: unknown): Value[] {
  if (!isRecord(before) || !isRecord(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => compare(`${path}.${name}`, before[name], after[name]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describe(style: Style, { kind, key, change, values }: Difference): string {
  const lines = values.map(
    ({ path, before, after }) => `    ${style.isolate(path)}: ${show(style, 'removed', before)} → ${show(style, 'added', after)}`,
  )
  return [headOf(style, { kind, key, change }), ...lines].map((line) => `${line}\n`).join('')
}

function show({ paint, isolate }: Style, tone: 'added' | 'removed', value: unknown): string {
  return value === undefined ? paint('quiet', 'nothing') : paint(tone, isolate(cutText(JSON.stringify(value), MOST)))
}
