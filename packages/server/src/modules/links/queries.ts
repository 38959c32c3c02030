import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { Db } from '../../db/open.ts'

export async function findLinkSchemes(db: Db, workspaceId: string): Promise<LinkSchemes> {
  const row = await db.selectFrom('workspaces').select('link_schemes').where('id', '=', workspaceId).executeTakeFirst()
  return (row?.link_schemes ?? null) as LinkSchemes
}

/** What paths in messages begin with; null: nothing was said. */
export async function findWebAddress(db: Db, workspaceId: string): Promise<string | null> {
  const row = await db.selectFrom('workspaces').select('web_address').where('id', '=', workspaceId).executeTakeFirst()
  return row?.web_address ?? null
}
