import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { MonthGrid, useMonth, type MonthEntry } from '../content/month-grid.tsx'
import { TurnMark } from '../content/turn-mark.tsx'
import { campaignPath, type Campaign } from './api.ts'
import { CampaignState } from './campaign-state.tsx'
import { useTexts } from './texts.ts'

/** A month of the days on which campaigns begin and end. */
export function CampaignCalendar() {
  const entriesOf = useEntries()
  const shown = useMonth()
  const pages = usePages<Campaign>('/campaigns', 'campaigns', { limit: 200, ...shown.bounds }, { every: 60_000 })
  return <MonthGrid shown={shown} pages={pages} entriesOf={entriesOf} />
}

/** Drafts and requests only start if somebody approves them. */
const UNDECIDED: ReadonlySet<string> = new Set(['draft', 'pending_review', 'rejected'])

function useEntries(): (campaigns: readonly Campaign[]) => MonthEntry[] {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const entry = ({ id, name, status }: Campaign, change: 'starts' | 'ends', text: string): MonthEntry => {
    const at = new Date(text)
    const isDraft = UNDECIDED.has(status)
    const said = isDraft ? t(`status_${status}`) : t(`turn_${change}`)
    return {
      key: `${id} ${change}`,
      at,
      path: campaignPath(workspace.id, id),
      name,
      words: `${name} · ${said} · ${format.moment(at)}`,
      change: said,
      mark: <TurnMark change={change} isDraft={isDraft} />,
      badge: <CampaignState status={status} />,
    }
  }
  return (campaigns) =>
    campaigns
      .flatMap((campaign) => {
        const { startTime, endTime } = campaign.schedule
        return [...(startTime ? [entry(campaign, 'starts', startTime)] : []), ...(endTime ? [entry(campaign, 'ends', endTime)] : [])]
      })
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
