import type { Draft } from '../draft.ts'

/** Whether everything that is sent is the mail of sections, so that no texts are needed. */
export function isMailAlone({ mail, dispatchChannels }: Pick<Draft, 'mail' | 'dispatchChannels'>): boolean {
  return mail !== undefined && dispatchChannels.length > 0 && dispatchChannels.every((channel) => channel === 'email')
}
