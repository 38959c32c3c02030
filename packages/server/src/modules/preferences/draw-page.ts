/** The page on which people choose what they get: forms alone, no script (decision 74). */
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import { WEEKLY_LIMITS } from '@contentflow/core/identity/consent/decisions.ts'
import type { ChannelChoice, Preferences } from '@contentflow/core/identity/consent/preferences.ts'
import type { Topic, TopicTexts } from '@contentflow/core/identity/consent/topics.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import { escape } from '@contentflow/core/messages/mail.ts'
import { BRAND_STYLE, lookOf, type PageBrand, type PageLook } from '../../http/link-pages/page-look.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'
import { PAGE_TEXTS, type Outcome, type PageLanguage, type PageTexts } from './page-texts.ts'

export type Drawn = {
  language: PageLanguage
  sender: string
  /** Undefined: the page is plain. */
  brand?: PageBrand | undefined
  /** A masked address or number. */
  who: string
  topics: readonly Topic[]
  preferences: Preferences
  isOptedOut: boolean
  /** The link only lets the person leave. */
  isOld: boolean
  /** The browser asks not to be tracked. */
  hasSignal: boolean
  outcome?: { is: Outcome; day?: string } | undefined
}

export function drawPage(drawn: Drawn): { html: string; headers: PageLook['headers'] } {
  const look = lookOf(drawn.brand, drawn.language)
  const texts = PAGE_TEXTS[drawn.language]
  const choice = drawn.isOld ? oldPart(texts) : choicePart(drawn, texts) + dataPart(texts)
  const body = `${headOf(drawn, texts, look)}${drawn.isOld ? '' : choice}${leavePart(texts)}${drawn.isOld ? choice : ''}`
  return { html: documentOf(drawn.language, texts.title, body, look), headers: look.headers }
}

/** A page that says one thing. */
export function drawNotice(language: PageLanguage, text: string): string {
  const { title } = PAGE_TEXTS[language]
  return documentOf(language, title, `<h1>${escape(title)}</h1><p role="status">${escape(text)}</p>`, lookOf(undefined, language))
}

/**
 * A hash of all words that somebody chooses by, and of what there is to choose among: it stands in the form, and the ledger keeps it.
 */
export function hashOfChoice(drawn: Pick<Drawn, 'language' | 'topics' | 'preferences'>): string {
  const texts = PAGE_TEXTS[drawn.language]
  const { channels, topics, tracking } = drawn.preferences
  const named = topics.map(({ id, channels: of }) => {
    const topic = topicOf(drawn, id)
    return [id, textIn(topic?.names, drawn.language), textIn(topic?.descriptions, drawn.language), ...labels(of, texts)]
  })
  const often = [texts.often, texts.oftenLabel, texts.unlimited, ...WEEKLY_LIMITS.map((limit) => texts.limits[limit])]
  const counted = tracking === null ? [] : [texts.counting, texts.track]
  return hashSecret(JSON.stringify([drawn.language, texts.title, texts.ways, labels(channels, texts), texts.about, named, often, counted]))
}

function labels(channels: readonly ChannelChoice[], texts: PageTexts): string[] {
  return channels.map(({ channel }) => texts.channels[channel])
}

function topicOf({ topics }: Pick<Drawn, 'topics'>, id: string): Topic | undefined {
  return topics.find((topic) => topic.id === id)
}

/** In the language of the page, else English, else whatever there is. */
function textIn(texts: TopicTexts | undefined, language: PageLanguage): string {
  const entries = Object.entries(texts ?? {})
  const speaks = (wanted: string) => entries.find(([tag]) => localeChain(foldTag(tag)).includes(wanted))?.[1]
  return speaks(language) ?? speaks('en') ?? entries[0]?.[1] ?? ''
}

function headOf({ sender, who, isOptedOut, outcome, language }: Drawn, texts: PageTexts, { logo, company }: PageLook): string {
  const other = language === 'en' ? 'ar' : 'en'
  const said = outcome && texts.outcomes[outcome.is].replaceAll('{{day}}', outcome.day ?? '')
  return [
    `<nav><a href="?lang=${other}" hreflang="${other}" lang="${other}">${escape(texts.language)}</a></nav>`,
    logo,
    `<h1>${escape(texts.title)}</h1>`,
    `<p class="who">${escape(company || sender)} · ${escape(texts.whose).replaceAll('{{who}}', `<bdi>${escape(who)}</bdi>`)}</p>`,
    said === undefined ? '' : `<p role="status" class="said">${escape(said)}</p>`,
    isOptedOut ? `<p class="said">${escape(texts.optedOut)}</p>` : '',
  ].join('')
}

function choicePart(drawn: Drawn, texts: PageTexts): string {
  const { channels, topics, maxMessagesAWeek } = drawn.preferences
  const ways = channels.map((each) => checkbox(`channel.${each.channel}`, texts.channels[each.channel], each.wanted))
  const limits = [null, ...WEEKLY_LIMITS].map((limit) => {
    const words = limit === null ? texts.unlimited : texts.limits[limit]
    return `<option value="${limit ?? ''}"${limit === maxMessagesAWeek ? ' selected' : ''}>${escape(words)}</option>`
  })
  return [
    `<form method="post"><input type="hidden" name="shown" value="${hashOfChoice(drawn)}">`,
    ways.length === 0 ? '' : `<fieldset><legend>${escape(texts.ways)}</legend>${ways.join('')}</fieldset>`,
    topics.length === 0 ? '' : `<h2>${escape(texts.about)}</h2>${topics.map((each) => topicPart(drawn, texts, each)).join('')}`,
    `<h2>${escape(texts.often)}</h2><p><label>${escape(texts.oftenLabel)} <select name="often">${limits.join('')}</select></label></p>`,
    trackingPart(drawn, texts),
    `<button name="action" value="save">${escape(texts.save)}</button></form>`,
  ].join('')
}

function topicPart(drawn: Drawn, texts: PageTexts, { id, channels }: Preferences['topics'][number]): string {
  const topic = topicOf(drawn, id)
  const description = textIn(topic?.descriptions, drawn.language)
  const boxes = channels.map(({ channel, wanted }) => checkbox(nameOf(id, channel), texts.channels[channel], wanted))
  return `<fieldset><legend>${escape(textIn(topic?.names, drawn.language))}</legend>${description === '' ? '' : `<p class="hint">${escape(description)}</p>`}${boxes.join('')}</fieldset>`
}

/** The field of a topic and channel. */
export function nameOf(topic: string, channel: ChannelType): string {
  return `topic.${topic}.${channel}`
}

function trackingPart({ preferences: { tracking }, hasSignal }: Drawn, texts: PageTexts): string {
  if (tracking === null) return ''
  const hint = hasSignal ? `<p class="hint" id="signal">${escape(texts.signal)}</p>` : ''
  const box = hasSignal
    ? `<label><input type="checkbox" disabled aria-describedby="signal"> ${escape(texts.track)}</label>`
    : checkbox('tracking', texts.track, tracking)
  return `<fieldset><legend>${escape(texts.counting)}</legend>${box}${hint}</fieldset>`
}

function checkbox(name: string, label: string, isOn: boolean): string {
  return `<label><input type="checkbox" name="${escape(name)}" value="on"${isOn ? ' checked' : ''}> ${escape(label)}</label>`
}

function dataPart(texts: PageTexts): string {
  return `<section><h2>${escape(texts.dataTitle)}</h2><p class="hint">${escape(texts.dataText)}</p><form method="post"><button class="plain" name="action" value="access">${escape(texts.access)}</button> <button class="plain" name="action" value="erasure">${escape(texts.erasure)}</button></form></section>`
}

function leavePart(texts: PageTexts): string {
  return `<section><h2>${escape(texts.leaveTitle)}</h2><p class="hint">${escape(texts.leaveText)}</p><form method="post"><button class="plain" name="action" value="leave">${escape(texts.leave)}</button></form></section>`
}

function oldPart(texts: PageTexts): string {
  return `<section><h2>${escape(texts.oldTitle)}</h2><p class="hint">${escape(texts.oldText)}</p><form method="post"><button name="action" value="fresh">${escape(texts.fresh)}</button></form></section>`
}

function documentOf(language: PageLanguage, title: string, body: string, { root, foot }: PageLook): string {
  return `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${root}${STYLE}</style></head><body><main>${body}${foot}</main></body></html>`
}

const STYLE = `body{margin:0;background:var(--page);color:var(--text);font:16px/1.6 var(--font)}main{box-sizing:border-box;width:min(36rem,100% - 2rem);margin:2rem auto;padding:2rem;border-radius:12px;background:var(--surface)}nav{text-align:end}a{color:var(--link)}h1{margin:0;font-size:1.5rem}h2{margin:1.5rem 0 .5rem;font-size:1.125rem}.who,.hint{margin:0 0 .75rem;color:var(--muted)}.said{padding:.75rem 1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--said)}fieldset{margin:1rem 0 0;padding:.75rem 1rem 1rem;border:1px solid var(--line);border-radius:8px}legend{padding:0 .25rem;font-weight:600}label{display:block;padding:.375rem 0}input{accent-color:var(--link);inline-size:1.125rem;block-size:1.125rem;margin-inline-end:.5rem;vertical-align:-.15em}select{padding:.5rem;border-radius:var(--radius);font:inherit}section{margin-top:2rem;padding-top:.5rem;border-top:1px solid var(--line)}section h2{margin-top:1rem}button{margin:1rem 0 0;padding:.75rem 1.5rem;border:1px solid var(--primary);border-radius:var(--radius);background:var(--primary);color:var(--on);font:inherit;font-weight:600;cursor:pointer}section form{display:flex;flex-wrap:wrap;gap:.75rem}section button{margin-top:.25rem}button.plain{background:none;color:var(--link);border-color:currentColor}button:focus-visible,input:focus-visible,select:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px}${BRAND_STYLE}`
