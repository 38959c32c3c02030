/** What own HTML of a mail holds: where it leads, and which pictures it shows. */
import { PICTURES, UNSUBSCRIBE } from './allowed-html.ts'
import { unescapeHtml } from './scan-html.ts'
import { addressedTags, attributeIn, attributesIn, nameOf, visitShown } from './scan-stored.ts'

/** `number`: of its place, from 0; what Outlook is shown of the link that follows has its number. `from`: where its tag begins. */
type Place = { number: number; url: string; from: number; isHidden: boolean }
/** `words`: what stands in it, where other programs than Outlook see it. */
export type HtmlLink = { number: number; url: string; words: string }

/** In the order in which they stand; the link by which people leave is none of them. */
export function linkPlaces(html: string, tags = addressedTags(html)): Place[] {
  const found = tags.flatMap(({ tag, from, isHidden }) => {
    const url = attributeIn(tag, 'href')
    return url === undefined || url === UNSUBSCRIBE ? [] : [{ url, from, isHidden }]
  })
  // From the last to the first, so that each knows the one that follows it.
  const places: number[] = []
  let place = 0
  let shown: { url: string; place: number } | undefined
  for (let at = found.length - 1; at >= 0; at--) {
    const { url, isHidden } = found[at]!
    const own: number = isHidden && shown?.url === url ? shown.place : place++
    places[at] = own
    if (!isHidden) shown = { url, place: own }
  }
  return found.map((each, at) => ({ ...each, number: place - 1 - places[at]! }))
}

/** The same with their words. */
export function linksOfHtml(html: string): HtmlLink[] {
  const words = new Map<number, string>()
  let current: number | undefined
  const add = (text: string) => current !== undefined && words.set(current, `${words.get(current) ?? ''}${text}`)
  visitShown(html, {
    text: (raw) => add(unescapeHtml(raw)),
    open: (name, tag, from) => {
      if (name === 'a') current = from
      else if (name === 'img') add(` ${attributeIn(tag, 'alt') ?? ''} `)
    },
    close: (name) => {
      if (name === 'a') current = undefined
    },
  })
  return linkPlaces(html).map(({ number, url, from }) => ({
    number,
    url,
    words: (words.get(from) ?? '').replaceAll(/\s+/g, ' ').trim(),
  }))
}

/** `alt`: undefined where nobody wrote one. Pictures behind words have none to write. */
export type HtmlPicture = { src: string; alt: string | undefined; isBackground: boolean }

export function picturesOfHtml(html: string): HtmlPicture[] {
  const found: HtmlPicture[] = []
  visitShown(html, {
    open: (name, tag) => {
      const isBackground = name !== 'img'
      const sources = attributesIn(tag).filter((each) => PICTURES.has(each.name))
      if (!isBackground && sources.length === 0) sources.push({ name: 'src', value: '' })
      found.push(...sources.map(({ value }) => ({ src: value, alt: attributeIn(tag, 'alt'), isBackground })))
    },
    close: () => undefined,
  })
  return found
}

/** Whether it has the link by which people leave, so that no footer need be added. */
export function hasUnsubscribe(html: string): boolean {
  return (
    html.includes(UNSUBSCRIBE) &&
    addressedTags(html).some(({ tag, isHidden }) => !isHidden && nameOf(tag) === 'a' && tag.includes(` href="${UNSUBSCRIBE}"`))
  )
}
