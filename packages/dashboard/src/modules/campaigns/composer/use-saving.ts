import { notifications } from '@mantine/notifications'
import { isApproved } from '@contentflow/core/campaigns/status.ts'
import type { CampaignEditAsked } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { isVersionChanged, useConflict } from '../../../ui/unsaved/use-conflict.ts'
import { campaignApi, STALE, type Campaign } from '../api.ts'
import { bodyOf, changedMembers, withoutTopic, type Body, type Draft } from './draft.ts'
import { useTexts } from './texts.ts'

type Saving = {
  base: Campaign | undefined
  draft: Draft
  /** The source language of the workspace. */
  source: string | undefined
  /** `sent`: what was stored of it; what was typed since stays. */
  onSaved: (campaign: Campaign, sent: Draft) => void
  onAutosaved: (campaign: Campaign, sent: Draft) => void
}
type Sent = { body: Partial<Omit<Body, 'topic'> & { topic?: string | null | undefined }>; version?: number }

/** Saves a campaign on top of the version that was read. For an approved one, members without approval rights only request the change. */
export function useSaving({ base, draft, source, onSaved, onAutosaved }: Saving) {
  const t = useTexts()
  const { mayApprove } = useSession()
  const { theirs: met, setTheirs, meet, ...conflict } = useConflict<Campaign>(campaignApi(base?.id ?? ''))
  // Once this page goes on from their version, there is no conflict left.
  const theirs = met && met.version > (base?.version ?? 0) ? met : undefined
  const wasApproved = base !== undefined && isApproved(base.status)
  const isAsked = wasApproved && !mayApprove
  const write = useWrite<Sent, Campaign | CampaignEditAsked>(
    (sent) => (base ? { method: 'PUT', path: campaignApi(base.id), ...sent } : { method: 'POST', path: '/campaigns', ...sent }),
    { stale: STALE, showsError: true },
  )
  /** Quietly, on top of what was read; a conflict is asked about as with any other save. */
  const autosave = useWrite<Sent, Campaign>(
    (sent) => ({ method: 'PUT', path: campaignApi(base?.id ?? ''), query: { autosave: true }, ...sent }),
    { stale: STALE, showsError: true },
  )
  const saveItself = (): boolean => {
    if (!base || write.isPending || autosave.isPending) return false
    const body = bodyOf(draft, base.schedule.startTime, { now: Date.now(), source, hadMail: base?.mail !== undefined })
    autosave.mutateAsync({ body: withoutTopic(body, base), version: base.version }).then((next) => onAutosaved(next, draft), meet)
    return true
  }
  const send = async (version: number | undefined): Promise<Campaign | undefined> => {
    setTheirs(undefined)
    const body = bodyOf(draft, base?.schedule.startTime, { now: Date.now(), source, hadMail: base?.mail !== undefined })
    try {
      const changes = base && wasApproved ? changedMembers(body, base, source) : withoutTopic(body, base)
      const answer = await write.mutateAsync({ body: changes, ...(version !== undefined && { version }) })
      const saved = 'editRequestId' in answer ? base : answer
      notifications.show({ message: t('editRequestId' in answer ? 'asked' : wasApproved ? 'changed' : 'saved'), color: 'teal' })
      if (saved) onSaved(saved, draft)
      return saved
    } catch (error) {
      meet(error)
      return undefined
    }
  }
  return {
    save: () => send(base?.version),
    overwrite: () => send(theirs?.version),
    saveItself,
    theirs,
    isAsked,
    isBusy: write.isPending || autosave.isPending,
    // A conflict is asked about instead.
    error: theirs ? null : (conflict.error ?? [write.error, autosave.error].find((each) => each && !isVersionChanged(each)) ?? null),
  }
}
