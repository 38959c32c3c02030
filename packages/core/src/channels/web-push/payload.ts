/** What a browser is sent: a declarative push message, which Safari shows by itself and every other browser hands to the worker. */
import { cutText, shorten } from '../../cut-text.ts'
import { utf8Length } from '../../json/utf8-length.ts'
import { isRightToLeft, textOf, type Configuration, type Message } from '../channel.ts'

/** Of 4,096 bytes encrypted, what is left for the text (RFC 8291, section 4). */
export const PLAIN_BYTES = 3_993
/** Says that it is a declarative message. */
const DECLARATIVE = 8030
/** Of what is in the address, the rest must still have room beside it. */
const LONGEST_ADDRESS = 1_500

type Shown = { title: string; body: string; image: string | undefined }

/** As JSON, of at most `PLAIN_BYTES`: the body is cut first, then the picture goes, then the title is cut. */
export function payloadOf(configuration: Configuration, message: Message): string {
  const { title, body, imageUrl: image } = message
  const write = (shown: Shown) => JSON.stringify(documentOf(configuration, message, shown))
  const whole = write({ title, body, image })
  if (fits(whole)) return whole
  const withPicture = { title, body: '', image }
  if (fits(write(withPicture))) return write({ ...withPicture, body: longest(body, (text) => write({ ...withPicture, body: text })) })
  const bare = { title, body: '', image: undefined }
  if (fits(write(bare))) return write({ ...bare, body: longest(body, (text) => write({ ...bare, body: text })) })
  return write({ ...bare, title: longest(title, (text) => write({ ...bare, title: text })) })
}

function documentOf(configuration: Configuration, message: Message, { title, body, image }: Shown) {
  const { id, language, topic } = message
  const icon = textOf(configuration, 'iconUrl')
  const home = textOf(configuration, 'homeUrl')
  return {
    web_push: DECLARATIVE,
    notification: {
      // Required: without one Safari shows nothing and counts the message as silent.
      title: title || cutText(body, 60) || home,
      body,
      ...(language !== undefined && { lang: language }),
      dir: language === undefined ? 'auto' : isRightToLeft(language) ? 'rtl' : 'ltr',
      navigate: addressOf(message, home),
      ...(icon !== '' && { icon }),
      ...(image !== undefined && utf8Length(image) <= LONGEST_ADDRESS && { image }),
      tag: topic ?? id,
      silent: false,
      data: { cf: id },
    },
  }
}

/** A path belongs to the home page; what only an app opens leads there. */
function addressOf({ button }: Message, home: string): string {
  const url = button?.url ?? ''
  if (utf8Length(url) > LONGEST_ADDRESS) return home
  if (/^\/(?!\/)/.test(url)) return (/^https:\/\/[^/]+/i.exec(home)?.[0] ?? '') + url
  return /^https?:\/\//i.test(url) ? url : home
}

function fits(text: string): boolean {
  return utf8Length(text) <= PLAIN_BYTES
}

/** As much of it as fits, between signs as people count them. */
function longest(text: string, write: (shorter: string) => string): string {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(write(shorten(text, middle)))) least = middle
    else most = middle - 1
  }
  return least === 0 ? '' : shorten(text, least)
}
