import { useRead } from '../../../data.ts'

/** Whether publishing to live takes a second person in this workspace. */
export function useNeedsReview(): boolean {
  return useRead<{ approval: boolean }>('/settings/publishing').data?.approval ?? false
}
