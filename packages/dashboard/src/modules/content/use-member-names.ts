import { useRead } from '../../data.ts'
import type { Member } from './api.ts'
import { useTexts } from './texts.ts'

/** The author of an action: a member by name, otherwise a build pipeline's key or a former member. */
export function useMemberNames(): (id: string) => string {
  const t = useTexts()
  const members = useRead<{ members: Member[] }>('/members', { limit: 200 }).data?.members ?? []
  return (id) => members.find(({ userId }) => userId === id)?.name ?? t('formerMember')
}
