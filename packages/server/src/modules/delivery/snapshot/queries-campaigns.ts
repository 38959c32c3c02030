import { sql } from 'kysely'
import type { Campaign, CampaignSchedule } from '@contentflow/core/campaigns/campaign.ts'
import { CAMPAIGN_STATUSES, isShown, type CampaignStatus } from '@contentflow/core/campaigns/status.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

/** A row with its name and version. `xmin`, the id of the transaction that wrote it, changes with every update, whoever makes it. */
export const stampOf = (name: 'key' | 'id', table?: string) => {
  const of = table === undefined ? sql`` : sql`${sql.ref(table)}.`
  return sql<string>`${of}${sql.ref(name)} || ' ' || ${of}xmin::text`
}
export type Stamped<Row> = { stamp: string; row: Row }

export type CampaignRow = Pick<Campaign, 'name' | 'type' | 'priority' | 'segments' | 'content' | 'dispatchChannels'> & {
  id: string
  /** 0: there is no control group. */
  controlPercent: number
  startTime: string
  endTime: string | null
  /** Bytes of the content. */
  bytes: number
}

/** The statuses in which this view shows a campaign. */
export function shownIn(view: Environment): CampaignStatus[] {
  return CAMPAIGN_STATUSES.filter((status) => isShown(status, view))
}

export async function listCampaigns(db: Db, workspaceId: string, ids: string[]): Promise<Stamped<CampaignRow>[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select([
      'id',
      'name',
      'type',
      'priority',
      'segments',
      'content',
      'schedule',
      'dispatch_channels',
      'control_percent',
      sql<number>`octet_length(content::text)`.as('bytes'),
      stampOf('id').as('stamp'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()
  return rows.map(({ stamp, dispatch_channels, control_percent, content, schedule, ...row }) => {
    const { startTime, endTime = null } = schedule as CampaignSchedule
    const said = { content: content as Campaign['content'], dispatchChannels: dispatch_channels, controlPercent: control_percent }
    return { stamp, row: { ...row, ...said, startTime, endTime } }
  })
}
