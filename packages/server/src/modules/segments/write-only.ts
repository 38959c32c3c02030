/** Who may ask about data that nobody reads back: viewers may not, neither with rules of their own nor about one person. */
import { listWriteOnly, readsWriteOnly } from '@contentflow/core/targeting/write-only.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../context.ts'
import { requirePermission } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { catalogOf } from './catalog.ts'

/** What is asked with: rules, and segments by id or name. */
type RuleUses = { rules?: readonly Rule[]; segments?: readonly string[] }

const REFUSAL = 'Industry data and imported data can be asked about by editors and admins only'

/** Names and ids of the segments whose members tell of write-only data. */
async function findWriteOnly(ctx: Context, workspaceId: string): Promise<Set<string>> {
  const { segments } = await catalogOf(ctx, workspaceId)
  const ids = listWriteOnly(segments.map(({ id, excluded, rules }) => ({ id, excluded, rules: rules.rules })))
  return new Set([...ids, ...segments.flatMap(({ id, name }) => (ids.has(id) ? [name] : []))])
}

/** Whether the answer to these tells of industry data or imported data. */
async function revealsWriteOnly(ctx: Context, workspaceId: string, { rules = [], segments = [] }: RuleUses): Promise<boolean> {
  if (readsWriteOnly(rules)) return true
  if (segments.length === 0) return false
  const found = await findWriteOnly(ctx, workspaceId)
  return segments.some((each) => found.has(each))
}

/** Refuses viewers with 403 `ROLE_REQUIRED` what tells of such data; whether it does. */
export async function guardWriteOnly(ctx: Context, caller: MemberCaller, asked: RuleUses): Promise<boolean> {
  const tells = await revealsWriteOnly(ctx, caller.workspaceId, asked)
  if (tells) requirePermission(caller, 'people:enrichment', REFUSAL)
  return tells
}

/** Segments of which viewers, and whoever may not see contacts, are told no small numbers; of everybody else's answers, none. */
export async function roundedFor(ctx: Context, caller: MemberCaller): Promise<ReadonlySet<string>> {
  const { permissions } = caller.grant
  const isTold = permissions.has('people:enrichment') && permissions.has('people:contacts')
  return isTold ? new Set() : findWriteOnly(ctx, caller.workspaceId)
}
