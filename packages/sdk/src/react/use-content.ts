import { useEffect, useMemo, useState } from 'react'
import type { Campaign, CampaignContext } from '../campaign-types.ts'
import type { Block, MessageValues } from '../types.ts'
import { useClient, useSnapshot } from './context.ts'

/** The first delivered block of a type, or undefined. */
export function useBlock(key: string): Block | undefined {
  return useSnapshot().blocks.find((block) => block.key === key)
}

/** The delivered blocks of a screen, of a type, or of both, highest priority first. */
export function useBlocks({ screen, key }: { screen?: string; key?: string } = {}): readonly Block[] {
  const { blocks } = useSnapshot()
  return useMemo(
    () => blocks.filter((block) => (screen === undefined || block.screen === screen) && (key === undefined || block.key === key)),
    [blocks, screen, key],
  )
}

/** A text of the catalog, filled in; that of the defaults, or the key itself, until there is one. Reported as seen when it is a sensor. */
export function useString(key: string, values?: MessageValues): string {
  const client = useClient()
  const snapshot = useSnapshot()
  const isSensor = snapshot.strings?.smartKeys.includes(key) === true
  useEffect(() => {
    if (isSensor) client.stringSeen(key)
  }, [client, key, isSensor])
  return client.t(key, values, snapshot)
}

export type CampaignsAnswer = {
  /** The last answer; empty until there is one. */
  campaigns: readonly Campaign[]
  isLoading: boolean
  /** Why the last question was not answered. */
  error: unknown
}

/**
 * Campaigns for a placement, asked again when the person, their consent or the language changes, and whenever the client
 * has asked for blocks: after a signal of the stream, so when a campaign goes live, is paused or ends, else at its pace.
 */
export function useCampaigns(placement?: string, context?: CampaignContext): CampaignsAnswer {
  const client = useClient()
  const { status, deviceId, userId, consent, locale } = useSnapshot()
  const [answer, setAnswer] = useState<CampaignsAnswer>({ campaigns: [], isLoading: true, error: undefined })
  const [round, setRound] = useState(0)
  useEffect(() => client.on('synced', () => setRound((before) => before + 1)), [client])
  const isStarted = status !== 'stopped' && status !== 'loading' && deviceId !== undefined
  // Compared as text, so that an object written in place does not ask again at every rendering.
  const asked = context === undefined ? undefined : JSON.stringify(context)
  useEffect(() => {
    if (!isStarted) return undefined
    let isCurrent = true
    const keep = (next: (known: CampaignsAnswer) => CampaignsAnswer) => isCurrent && setAnswer(next)
    client.campaigns(placement, asked === undefined ? undefined : (JSON.parse(asked) as CampaignContext)).then(
      (campaigns) => keep((known) => ({ campaigns: sameOr(known.campaigns, campaigns), isLoading: false, error: undefined })),
      (error: unknown) => keep(({ campaigns }) => ({ campaigns, isLoading: false, error })),
    )
    return () => {
      isCurrent = false
    }
  }, [client, isStarted, placement, asked, userId, consent, locale, round])
  return answer
}

/** Keeps unchanged campaigns as the same objects, so that nothing is rendered again. */
function sameOr(known: readonly Campaign[], next: readonly Campaign[]): readonly Campaign[] {
  return JSON.stringify(known) === JSON.stringify(next) ? known : next
}
