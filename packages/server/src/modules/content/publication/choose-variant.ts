import { withVariant, type Variant } from '@contentflow/core/blocks/instance.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import * as queries from '../revisions/queries.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import { contentOf } from '../revisions/queries-instances.ts'
import { saveContent } from '../revisions/save-instance.ts'

/** `compared`: ids and weights that were compared. `expectedVersion`: of the instance, where the caller read one. */
type Choice = { variant: string | null; compared: readonly Pick<Variant, 'id' | 'weight'>[]; expectedVersion: number | undefined }

/**
 * A draft revision of an instance with only this variant; no client gets it before it is published, as every draft. 409 when
 * its newest revision has other variants or weights than those that were compared.
 */
export async function draftVariant(change: Change, id: string, { variant, compared, expectedVersion }: Choice): Promise<void> {
  const { tx, workspaceId } = change
  const stored = (await instanceQueries.findInstance(tx, workspaceId, id)) ?? failWith(404, 'instance not found')
  if (stored.deletedAt !== null) failWith(404, 'instance not found')
  if (expectedVersion !== undefined && expectedVersion !== stored.version)
    fail('VERSION_CHANGED', { message: `This instance is at version ${stored.version} now; read it again first` })
  const now = stored.variants.map(({ id: each, weight }) => ({ id: each, weight }))
  const content = withVariant(contentOf(stored), variant)
  if (!content || JSON.stringify(now) !== JSON.stringify(compared.map(({ id: each, weight }) => ({ id: each, weight }))))
    fail('EXPERIMENT_CONTENT_CHANGED')
  const definition = await queries.getActiveDefinition(tx, workspaceId, stored.blockKey)
  await saveContent(change, definition, stored, content ?? contentOf(stored), { source: 'edit', isDraft: true })
}
