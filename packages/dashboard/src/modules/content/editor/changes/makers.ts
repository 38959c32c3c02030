import { useRead } from '../../../../data.ts'
import type { Member } from '../api.ts'
import { useTexts } from '../texts.ts'

/** Who made a save: a member by name, otherwise a build pipeline's key or somebody who has left. */
export function useMakers(): (madeBy: string) => string {
  const t = useTexts()
  const members = useRead<{ members: Member[] }>('/members', { limit: 200 }).data?.members ?? []
  return (madeBy) => members.find(({ userId }) => userId === madeBy)?.name ?? t('formerMember')
}
