import { useEffect, useMemo, useState } from 'react'
import type { Block, Campaign, CampaignContext, MessageValues } from '../types.ts'
import { useClient, useSnapshot } from './context.ts'

/** The first delivered block of a type; undefined when there is none. */
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

/** A text of the catalog, filled in; the key itself until there is one. Reported as seen when it is a sensor. */
export function useString(key: string, values?: MessageValues): string {
  const client = useClient()
  const { strings } = useSnapshot()
  const isSensor = strings?.smartKeys.includes(key) === true
  useEffect(() => {
    if (isSensor) client.stringSeen(key)
  }, [client, key, isSensor])
  return client.t(key, values)
}

export type CampaignsAnswer = {
  /** The last answer; empty until there is one. */
  campaigns: readonly Campaign[]
  isLoading: boolean
  /** Why the last question was not answered. */
  error: unknown
}

/** Campaigns for a placement, asked again when the person, their consent or the language changes. */
export function useCampaigns(placement?: string, context?: CampaignContext): CampaignsAnswer {
  const client = useClient()
  const { deviceId, userId, consent, locale } = useSnapshot()
  const [answer, setAnswer] = useState<CampaignsAnswer>({ campaigns: [], isLoading: true, error: undefined })
  // By its text, so that an object written in place does not ask at every drawing.
  const asked = context === undefined ? undefined : JSON.stringify(context)
  useEffect(() => {
    if (deviceId === undefined) return undefined
    let isCurrent = true
    const keep = (next: (known: CampaignsAnswer) => CampaignsAnswer) => isCurrent && setAnswer(next)
    keep((known) => ({ ...known, isLoading: true }))
    client.campaigns(placement, asked === undefined ? undefined : (JSON.parse(asked) as CampaignContext)).then(
      (campaigns) => keep(() => ({ campaigns, isLoading: false, error: undefined })),
      (error: unknown) => keep(({ campaigns }) => ({ campaigns, isLoading: false, error })),
    )
    return () => {
      isCurrent = false
    }
  }, [client, placement, asked, deviceId, userId, consent, locale])
  return answer
}
