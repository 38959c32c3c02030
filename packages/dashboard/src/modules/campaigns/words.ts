/** Words for the members of a campaign. */
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { IN_APP, SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import type { Member } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { useTexts } from './texts.ts'

export const GOALS = ['promo', 'announcement', 'reminder', 'onboarding', 'winback'] as const
export const MESSAGE_CHANNELS = [...SEND_CHANNELS, IN_APP] as const

/** Keys of block types are shown as they are. */
export function useChannelName(): (channel: string) => string {
  const t = useTexts()
  return (channel) => {
    const known = MESSAGE_CHANNELS.find((each) => each === channel)
    return known ? t(`channel_${known}`) : channel
  }
}

/** A goal that came through the API may be any word. */
export function useGoalName(): (type: string) => string {
  const t = useTexts()
  return (type) => {
    const known = GOALS.find((each) => each === type)
    return known ? t(`goal_${known}`) : type
  }
}

export function useSegmentName(): (name: string) => string {
  const t = useTexts()
  return (name) => (name === EVERYONE ? t('everyone') : name)
}

/** The name of who did something: a member, or the system when a planned moment came. */
export function useMemberName(): (id: string | null) => string {
  const t = useTexts()
  const members = useRead<{ members: Member[] }>('/members', { limit: 200 }).data?.members ?? []
  return (id) => (id === 'system' ? t('system') : members.find(({ userId }) => userId === id)?.name || t('formerMember'))
}
