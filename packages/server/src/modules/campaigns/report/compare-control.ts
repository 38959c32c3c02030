/** What a campaign changes: whoever it came to beside those it left out, who were chosen by chance. */
import { compareGroups, rateOf } from '@contentflow/core/campaigns/statistics.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { ControlGroup } from './present-statistics.ts'
import { countGroups } from './queries-control.ts'

/** A person counts for the group they fell into first, and with any conversion since: those who are left out name no campaign. */
export async function compareControl(
  db: Db,
  workspaceId: string,
  { id, percent }: { id: string; percent: number },
  environment: Environment,
): Promise<ControlGroup> {
  const counted = await countGroups(db, workspaceId, id, environment)
  const groupOf = (isControl: boolean) => {
    const { people, converted } = counted.find((group) => group.isControl === isControl) ?? { people: 0, converted: 0 }
    return { people, converted, conversionRate: rateOf({ seen: people, done: converted }) ?? null }
  }
  const [reached, control] = [groupOf(false), groupOf(true)]
  const shares = Object.entries({ reached, control }).map(([name, { people, converted }]) => ({ id: name, seen: people, done: converted }))
  return { percent, reached, control, conversions: compareGroups(shares) }
}
