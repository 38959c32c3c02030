/** The texts of a step in several languages: those without an image or link of their own take the source language's. */
import type { StepContent } from '@contentflow/core/journeys/journey.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'

/** Said for every language at once: a language that has nothing else says nothing. */
const OF_ALL: ReadonlySet<string> = new Set(['inbox', 'shorten', 'urgency'])
const ADDRESSES = ['imageUrl', 'ctaUrl'] as const
type Address = (typeof ADDRESSES)[number]

export function isAddress(name: string): name is Address {
  return (ADDRESSES as readonly string[]).includes(name)
}

/**
 * The content with what is said in one language, which takes addresses when it begins and where it clears its own. A language
 * that has nothing but these is left out: its people get the source language.
 */
export function withMessage(content: StepContent, code: string, message: MessageContent, source: string | undefined): StepContent {
  const { [code]: before, ...others } = content
  const there = takenBy(content, code, source)
  const next = { ...message }
  for (const name of ADDRESSES) {
    const isOpen = next[name] === '' || (next[name] === undefined && before === undefined)
    if (there[name] && isOpen) next[name] = there[name]
  }
  const isSaid = ([name, text]: [string, unknown]) => !OF_ALL.has(name) && text !== '' && !(isAddress(name) && text === there[name])
  const isBlank = !Object.entries(next).some(isSaid)
  return isBlank ? others : { ...content, [code]: next }
}

/** When an address of the source language changes, languages with the same address follow, others keep theirs. */
export function withFollowers(content: StepContent, source: string, name: Address, before: string): StepContent {
  const now = content[source]?.[name] ?? ''
  if (now === before) return content
  const follow = (code: string, message: MessageContent): MessageContent =>
    code !== source && (message[name] ?? '') === before ? { ...message, [name]: now } : message
  return Object.fromEntries(Object.entries(content).map(([code, message]) => [code, follow(code, message)]))
}

/** The members that a language may take over; none for the source language itself. */
function takenBy(content: StepContent, code: string, source: string | undefined): MessageContent {
  return source === undefined || code === source ? {} : (content[source] ?? {})
}
