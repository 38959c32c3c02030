/** The disk that files on their way in take together, of all workspaces: whoever would fill it is told to come again. */
import { fail } from '../errors.ts'

/** What one upload takes of it, until what it wrote is gone. */
export type UploadShare = {
  /** Refused with 503 when there is no room for so many bytes more. */
  take(bytes: number): void
  release(): void
}
export type UploadSpace = { open(): UploadShare }

const RETRY_SECONDS = 30

export function openUploadSpace(most: number): UploadSpace {
  let taken = 0
  return {
    open: () => {
      let own = 0
      return {
        take: (bytes) => {
          if (taken + bytes > most)
            fail('UPSTREAM_UNAVAILABLE', { message: 'Too many files are being sent just now, please try again', retryAfter: RETRY_SECONDS })
          taken += bytes
          own += bytes
        },
        release: () => {
          taken -= own
          own = 0
        },
      }
    },
  }
}
