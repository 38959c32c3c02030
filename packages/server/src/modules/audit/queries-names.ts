import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Where the names of a kind of objects stand: by which column entries name them, and which one people know them by. */
const NAMED = {
  segment: { table: 'segments', id: 'id', name: 'name' },
  campaign: { table: 'campaigns', id: 'id', name: 'name' },
  journey: { table: 'journeys', id: 'id', name: 'name' },
  instance: { table: 'block_instances', id: 'id', name: 'title' },
  block: { table: 'block_definitions', id: 'key', name: 'name' },
  mail: { table: 'mails', id: 'id', name: 'name' },
  channel: { table: 'channels', id: 'id', name: 'name' },
  key: { table: 'keys', id: 'id', name: 'name' },
  geofence: { table: 'geofences', id: 'id', name: 'name' },
} as const

/** Objects that entries of one page are about. */
type Named = { kind: string; id: string }

/** Present names of what is there, by `nameKey`. */
export async function listObjectNames(db: Db, workspaceId: string, objects: readonly Named[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [kind, { table, id, name }] of Object.entries(NAMED)) {
    const ids = [...new Set(objects.flatMap((object) => (object.kind === kind ? [ownId(object)] : [])))]
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string; name: string | null }>`
      select ${sql.ref(id)} as id, ${sql.ref(name)} as name from ${sql.table(table)}
      where workspace_id = ${workspaceId} and ${sql.ref(id)} = any(${ids}::text[])`.execute(db)
    for (const row of rows) if (row.name) names.set(nameKey({ kind, id: row.id }), row.name)
  }
  return names
}

/** Instances are named with their block. */
function ownId({ kind, id }: Named): string {
  return kind === 'instance' ? id.slice(id.indexOf('/') + 1) : id
}

/** By which `listObjectNames` gives the name of an object. */
export function nameKey(object: Named): string {
  return `${object.kind} ${ownId(object)}`
}
