import { sql, type Kysely } from 'kysely'
import { lockDistribution } from './locks.ts'
import type { Database } from './schema.ts'

/** Of the installation, small, and asked for by every machine: each has all of them. In the order they refer to each other. */
const SHARED_TABLES = [
  'workspaces',
  'accounts',
  'sessions',
  'account_links',
  'passkeys',
  'recovery_codes',
  'used_challenges',
  'device_sign_ins',
  'roles',
  'members',
  'service_accounts',
  'api_tokens',
  'keys',
  'asset_addresses',
  'identity_providers',
  'account_identities',
  'sign_in_domains',
  'provider_nonces',
  'sign_in_settings',
] as const

type ForeignKey = { name: string; table: string; definition: string }

/**
 * On a database with the Citus extension: spreads every table that has a workspace over the machines by it, so that what
 * belongs to one workspace lies together, and gives each machine the tables that all need. Does nothing when that is done,
 * or on plain PostgreSQL.
 */
export async function distribute(db: Kysely<Database>): Promise<void> {
  if (!(await hasCitus(db)) || (await listUndistributed(db)).length === 0) return
  await db.transaction().execute(async (tx) => {
    await lockDistribution(tx)
    const tables = await listUndistributed(tx)
    // Statements about shared and spread tables in one transaction have to go over one connection a machine.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
    await sql`set local citus.enable_unsafe_triggers = on`.execute(tx)
    // A spread table and one that is not may not refer to each other, not even for a moment.
    const keys = await listForeignKeys(tx, tables)
    for (const { name, table } of keys) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
    for (const table of SHARED_TABLES) if (tables.includes(table)) await sql`select create_reference_table(${table})`.execute(tx)
    for (const table of tables) {
      if (isShared(table)) continue
      await sql`select create_distributed_table(${table}, 'workspace_id', colocate_with => ${table === COLOCATED_WITH ? 'none' : COLOCATED_WITH})`.execute(
        tx,
      )
    }
    for (const { name, table, definition } of keys)
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
  })
}

/** The table whose shards decide where all others have theirs. */
const COLOCATED_WITH = 'profiles'

export function isShared(table: string): boolean {
  return (SHARED_TABLES as readonly string[]).includes(table)
}

export async function hasCitus(db: Kysely<unknown> | Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0
}

/** Shared ones, and all with a workspace, that every machine of the cluster does not know yet; the one that decides comes first. */
async function listUndistributed(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and (relname = any(${[...SHARED_TABLES]}::text[])
        or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid and (d.partmethod <> 'n' or d.repmodel = 't'))
    order by relname <> ${COLOCATED_WITH}, relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** Foreign keys from and to these tables. */
async function listForeignKeys(db: Kysely<Database>, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conparentid = 0 and (conrelid::regclass::text = any(${[...tables]}::text[]) or confrelid::regclass::text = any(${[...tables]}::text[]))
    order by conrelid::regclass::text, conname`.execute(db)
  return rows
}
