/** What delivery knows of the person behind an installation, besides the installation's own segments. */
import type { LocalizedContent } from './content.ts'
import type { TokenValues } from './tokens.ts'

/** An in-app message that nobody has ended. Moments in milliseconds. */
export type WaitingMessage = {
  id: string
  /** The campaign that the message belongs to, which has the content and the end. */
  campaignId: string | null
  journeyId: string | null
  content: LocalizedContent | null
  /** What events said, of a message that names it. */
  values: Pick<TokenValues, 'event' | 'lastEvent'> | null
  createdAt: number
  expiresAt: number | null
}

export type PersonView = {
  /** Up to which change of content the campaigns were looked at. */
  revisions: { live: number; test: number }
  /** Names of the segments they are a stored member of. */
  memberOf: readonly string[]
  /** Only while something that is shown says anything of the person, and of them only what it says. */
  values: TokenValues | undefined
  /** The oldest first. */
  messages: readonly WaitingMessage[]
}
