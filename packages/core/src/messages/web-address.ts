/** The web address of a workspace: what the paths of its messages are on the web. */
const LENGTH = 500

/** Without a slash at its end; undefined: it is none. */
export function readWebAddress(text: string): string | undefined {
  const address = text.trim().replace(/\/+$/, '')
  return address.length <= LENGTH && /^https:\/\/[^\s/?#@\\"<>]+(\/[^\s?#\\"<>]*)?$/i.test(address) ? address : undefined
}

export const WEB_ADDRESS_RULE = `must be an https address of at most ${LENGTH} characters without ? and #, such as https://shop.example.com, or null`
