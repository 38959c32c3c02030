import type { StoredString } from '@contentflow/core/strings/plan-sync.ts'
import type { Db } from '../../../db/open.ts'
import { findStored } from '../queries.ts'

/** The next strings by key, hidden ones too, with their texts in these locales. */
export async function listAfter(
  db: Db,
  workspaceId: string,
  {
    locales,
    after,
    limit,
    namespace,
  }: { locales: readonly string[]; after: string | undefined; limit: number; namespace: string | undefined },
): Promise<[key: string, string: StoredString][]> {
  const rows = await db
    .selectFrom('strings')
    .select('key')
    .where('workspace_id', '=', workspaceId)
    .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
    .$if(namespace !== undefined, (query) => query.where('namespace', '=', namespace ?? ''))
    .orderBy('key')
    .limit(limit)
    .execute()
  const keys = rows.map(({ key }) => key)
  const stored = await findStored(db, workspaceId, keys, locales)
  return keys.flatMap((key) => {
    const string = stored.get(key)
    return string ? [[key, string]] : []
  })
}
