/** What a campaign shows: to whom, where, and in which words (G-22, G-33). */
import type { LinkSchemes } from '../blocks/links/link-schemes.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '../messages/content.ts'
import { fillMember, type TokenValues } from '../messages/tokens.ts'
import type { CampaignContent } from './campaign.ts'

/** What apps are shown of it: with its variant laid over it, without what only says how it is chosen or sent. */
export function chosenContent(said: CampaignContent, variant: number): CampaignContent {
  const { inbox: _, ...shown } = said
  const content: CampaignContent = { ...shown, ...said.variants?.[variant]?.values }
  delete content.whatsappTemplate
  delete content.shorten
  delete content.urgency
  delete content.variants
  delete content.placementIds
  return content
}

/** A campaign that names no placement is for every one; who names none gets all. */
export function isForPlacement({ placementIds = [] }: CampaignContent, placementId: string | undefined): boolean {
  return placementId === undefined || placementIds.length === 0 || placementIds.includes(placementId)
}

/** Whether a text of it waits for a value of the person. */
export function hasTokens(content: object): boolean {
  return JSON.stringify(content).includes('{{')
}

/**
 * The texts with what they say of the person; undefined when something of it is not known: then nobody is shown half a
 * sentence, or a button that leads nowhere the workspace takes.
 */
export function filledContent<T extends MessageContent>(content: T, values: TokenValues | undefined, schemes: LinkSchemes): T | undefined {
  const filled: T = { ...content }
  for (const member of MESSAGE_MEMBERS) {
    const text = content[member]
    if (text === undefined || !text.includes('{{')) continue
    const fill = values && fillMember(member, text, values, schemes)
    if (!fill?.ok) return undefined
    filled[member] = fill.text
  }
  return filled
}

/** G-33: the tags of an in-app message's block; only those that are set. */
const TAGS = { title: '#title', body: '#body', imageUrl: '#image', ctaLabel: '#cta_label', ctaUrl: '#cta_url' } as const
const TYPES = { title: 'text', body: 'textarea', imageUrl: 'image', ctaLabel: 'text', ctaUrl: 'url' } as const

/** `values` and `fields` of an in-app message; undefined when it says nothing. */
export function messageBlock(
  content: MessageContent,
): { values: Record<string, string>; fields: { tag: string; type: string }[] } | undefined {
  const set = MESSAGE_MEMBERS.filter((member) => (content[member] ?? '') !== '')
  if (set.length === 0) return undefined
  return {
    values: Object.fromEntries(set.map((member) => [TAGS[member], content[member] ?? ''])),
    fields: set.map((member) => ({ tag: TAGS[member], type: TYPES[member] })),
  }
}
