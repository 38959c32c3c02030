/** What a press on the page of preferences does; looking at it does nothing. */
import { WEEKLY_LIMITS } from '@contentflow/core/identity/consent/decisions.ts'
import type { ChannelChoice, Preferences } from '@contentflow/core/identity/consent/preferences.ts'
import { PREFERENCE_LINK_DAYS } from '@contentflow/core/identity/consent/preference-page.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { askByPerson } from '../requests/index.ts'
import type { PreferenceLink } from '../sends/index.ts'
import { findPreferencePage } from '../topics/index.ts'
import { hashOfChoice, nameOf } from './draw-page.ts'
import { sendFreshLink, type LinkParts } from './fresh-link.ts'
import type { Outcome, PageLanguage } from './page-texts.ts'
import { changeByLink, leave, mayChange, readPreferences, savePreferences, type OwnChange, type OwnPage } from './preferences.ts'

export type Press = { form: URLSearchParams; language: PageLanguage; hasSignal: boolean }
/** `day`: the last day for the answer to what was asked. */
export type Pressed = { is: Outcome; day?: string }

/** Undefined: the link names nobody any more. */
export async function press(parts: LinkParts, link: PreferenceLink, asked: Press): Promise<Pressed | undefined> {
  const { ctx } = parts
  const action = asked.form.get('action')
  if (action === 'leave') {
    return changeByLink(ctx, link, async (change): Promise<Pressed> => {
      await leave(change, shownTo(change.page, asked.language))
      return { is: 'left' }
    })
  }
  if (action === 'fresh') return freshLink(parts, link)
  if (action !== 'save' && action !== 'access' && action !== 'erasure') return { is: 'unclear' }
  if (isOldLink(ctx, link)) return { is: 'old' }
  if (!(await mayChange(ctx, link))) return { is: 'often' }
  return changeByLink(ctx, link, (change) => (action === 'save' ? save(change, asked) : ask(ctx, change, action)))
}

export function isOldLink({ clock }: Pick<Context, 'clock'>, { day }: PreferenceLink): boolean {
  const made = Date.parse(day)
  return Number.isNaN(made) || clock.ms() - made > (PREFERENCE_LINK_DAYS + 1) * DAY_MS
}

async function freshLink(parts: LinkParts, link: PreferenceLink): Promise<Pressed | undefined> {
  const page = await readPreferences(parts.ctx, link)
  if (!page) return undefined
  const sent = await sendFreshLink(parts, page.profile)
  return { is: sent === false ? 'unsent' : 'sent' }
}

function shownTo({ topics, preferences }: OwnPage, language: PageLanguage) {
  return { textHash: hashOfChoice({ language, topics, preferences }), locale: language }
}

/** What the form says of what it showed; where another thing would be shown now, it is asked again. */
async function save(change: OwnChange, { form, language, hasSignal }: Press): Promise<Pressed> {
  const shown = shownTo(change.page, language)
  if (form.get('shown') !== shown.textHash) return { is: 'changed' }
  const often = form.get('often') ?? ''
  const limit = WEEKLY_LIMITS.find((each) => String(each) === often) ?? null
  if (limit === null && often !== '') return { is: 'unclear' }
  const { channels, topics, tracking } = change.page.preferences
  const chosen: Preferences = {
    channels: chosenOf(channels, form, ({ channel }) => `channel.${channel}`),
    topics: topics.map(({ id, channels: of }) => ({ id, channels: chosenOf(of, form, ({ channel }) => nameOf(id, channel)) })),
    maxMessagesAWeek: limit,
    tracking: tracking === null ? null : form.has('tracking') && !hasSignal,
  }
  return { is: (await savePreferences(change, chosen, shown)) ? 'saved' : 'unchanged' }
}

/** A box that is not ticked is left out of a form. */
function chosenOf(channels: readonly ChannelChoice[], form: URLSearchParams, name: (choice: ChannelChoice) => string): ChannelChoice[] {
  return channels.map((each) => ({ ...each, wanted: form.has(name(each)) }))
}

async function ask(ctx: Context, change: OwnChange, kind: 'access' | 'erasure'): Promise<Pressed> {
  const { law, publishedDays } = await findPreferencePage(change.tx, change.workspaceId)
  const { row, isNew } = await askByPerson(ctx, change, { kind, law, publishedDays, profile: change.page.profile })
  return { is: isNew ? 'asked' : 'waiting', day: row.extended_to ?? row.due_on }
}
