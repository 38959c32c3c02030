/**
 * Walks HTML that is known to be in the stored form (`html-fault.ts` took it): there its angle brackets alone say where tags
 * begin and end, so this is many times faster than reading it anew for each person.
 */
import { attributesOf, type Attribute } from './scan-html.ts'

type Visit = {
  /** `raw`: escaped. */
  text?(raw: string): void
  /** `raw`: the whole tag. */
  open(name: string, raw: string, from: number): void
  close(name: string): void
}

/** What other programs than Outlook see. */
export function visitShown(html: string, visit: Visit): void {
  let isHidden = false
  for (let from = 0; from < html.length;) {
    const open = html.indexOf('<', from)
    if (open !== from && !isHidden) visit.text?.(html.slice(from, open === -1 ? html.length : open))
    if (open === -1) return
    const end = html.indexOf('>', open) + 1
    if (end === 0) return
    from = end
    const raw = html.slice(open, end)
    if (raw.startsWith('<!')) {
      // `<!-->` behind a condition: others see what follows as well.
      if (raw.startsWith('<!--[if ')) isHidden = true
      else if (raw === '<!-->' || raw === '<![endif]-->') isHidden = false
    } else if (!isHidden) {
      if (raw.startsWith('</')) visit.close(raw.slice(2, -1))
      else visit.open(nameOf(raw), raw, open)
    }
  }
}

export function nameOf(tag: string): string {
  const blank = tag.indexOf(' ')
  return tag.slice(1, blank === -1 ? (tag.endsWith('/>') ? -2 : -1) : blank)
}

/** Of a whole tag, with their values as they are meant. */
export function attributesIn(tag: string): Attribute[] {
  return attributesOf({ attributes: tag })
}

/** Undefined: the tag has no such attribute. */
export function attributeIn(tag: string, name: string): string | undefined {
  return tag.includes(` ${name}="`) ? attributesIn(tag).find((each) => each.name === name)?.value : undefined
}

/** Each tag with an address, in their order, also those that Outlook alone is shown. `isHidden`: it is one of those. */
export function addressedTags(html: string): { tag: string; from: number; isHidden: boolean }[] {
  const found: { tag: string; from: number; isHidden: boolean }[] = []
  let isHidden = false
  for (const match of html.matchAll(ADDRESSED)) {
    const [tag] = match
    if (tag.startsWith('<!')) isHidden = tag.startsWith('<!--[if ') && !html.startsWith('<!-->', match.index + tag.length)
    else found.push({ tag, from: match.index, isHidden })
  }
  return found
}

const ADDRESSED = /<!--\[if [^\]]*\]>|<!\[endif\]-->|<(?:a|img|t[a-z]+|body|v:[a-z]+) (?:[^<>]* )?(?:href|src|background)="[^<>]*>/g
