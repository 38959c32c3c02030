import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { changeContent } from '../revisions/change-content.ts'
import { declaredOver, upsertDefinition } from './definitions.ts'
import * as queries from '../revisions/queries.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import { draftContent, insertDraft } from '../revisions/save-instance.ts'

export type Registered = { registered: string; definitionCreated: boolean; instanceId: string | null; instanceCreated: boolean }

/** Upserts one block type and touches nothing else; makes a blank draft when the type has no instance yet (M-REG, G-38). */
export async function registerBlock(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<Registered> {
  const parsed = parseDefinition(body)
  if (!parsed.ok) failWith(400, parsed.error)
  const seed = body['seedInstance'] ?? true
  if (typeof seed !== 'boolean') failWith(400, 'seedInstance must be a boolean')
  const { key } = parsed.value
  return changeContent(ctx, by, async (change) => {
    const { tx, workspaceId } = change
    const stored = await queries.findDefinition(tx, workspaceId, key)
    await upsertDefinition(change, declaredOver(parsed.value, stored), stored)
    const first = await instanceQueries.findFirstInstanceId(tx, workspaceId, key)
    if (first !== undefined || !seed)
      return { registered: key, definitionCreated: !stored, instanceId: first ?? null, instanceCreated: false }
    const definition = await queries.getActiveDefinition(tx, workspaceId, key)
    const content = await draftContent(change, definition, {})
    const draft = await insertDraft(change, definition, { externalId: null, content }, 'create')
    return { registered: key, definitionCreated: !stored, instanceId: draft.id, instanceCreated: true }
  })
}
