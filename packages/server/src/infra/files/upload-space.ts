/** The disk that files on their way in take together, of all workspaces: whoever would fill it is told to come again. */
import { fail } from '../../errors.ts'

/** What one upload takes of it, until what it wrote is gone. Both are refused with 503 when there is no room for so many bytes more. */
export type UploadShare = {
  /** Asked before bytes are sent for nothing; nothing is taken for what is only announced. */
  check(bytes: number): void
  take(bytes: number): void
  release(): void
}
/** `largest`: bytes that one file may have. */
export type UploadSpace = { open(workspaceId: string, largest: number): UploadShare }

const RETRY_SECONDS = 30
/** One workspace has a quarter of it, and always room for one whole file. */
const SHARES = 4

export function openUploadSpace(most: number): UploadSpace {
  const taken = new Map<string, number>()
  let all = 0
  return {
    open: (workspaceId, largest) => {
      const mostOfOne = Math.min(most, Math.max(most / SHARES, largest))
      let own = 0
      const ofOne = () => taken.get(workspaceId) ?? 0
      const check = (bytes: number) => {
        if (ofOne() + bytes > mostOfOne) refuse('Too many files of this workspace are being sent just now, please try again')
        if (all + bytes > most) refuse('Too many files are being sent just now, please try again')
      }
      const add = (bytes: number) => {
        all += bytes
        own += bytes
        const left = ofOne() + bytes
        if (left > 0) taken.set(workspaceId, left)
        else taken.delete(workspaceId)
      }
      return {
        check,
        take: (bytes) => {
          check(bytes)
          add(bytes)
        },
        release: () => add(-own),
      }
    },
  }
}

function refuse(message: string): never {
  fail('UPSTREAM_UNAVAILABLE', { message, retryAfter: RETRY_SECONDS })
}
