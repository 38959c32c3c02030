/** Goes from page to page as a browser does: keeps cookies by host and path, follows redirects, sends forms. No script runs. */
export type Visit = { status: number; url: string; text: string; headers: Headers }

type Cookie = { value: string; host: string; path: string }
type Sending = { method?: string; form?: Record<string, string>; json?: unknown; headers?: Record<string, string> }

export class CookieBrowser {
  readonly cookies = new Map<string, Cookie>()

  /** One answer, without following where it leads. */
  async send(url: string, { method = 'GET', form, json, headers = {} }: Sending = {}): Promise<Visit> {
    const at = new URL(url)
    const own = [...this.cookies].filter(([, { host, path }]) => host === at.host && at.pathname.startsWith(path))
    const cookie = own.map(([key, { value }]) => `${key.slice(key.indexOf(' ') + 1)}=${value}`).join('; ')
    const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await fetch(at, {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...(body !== undefined && { 'content-type': type }), ...headers },
      ...(body !== undefined && { body }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(at, line)
    return { status: response.status, url, text: await response.text(), headers: response.headers }
  }

  /** Follows redirects as long as they do not lead to an address that `until` takes. */
  async go(url: string, sending: Sending = {}, until: (url: string) => boolean = () => false): Promise<Visit> {
    let visit = await this.send(url, sending)
    for (let hops = 0; hops < 20; hops++) {
      const location = visit.headers.get('location')
      if (location === null) return visit
      const next = new URL(location, visit.url).href
      if (until(next)) return { ...visit, url: next }
      visit = await this.send(next)
    }
    throw new Error(`redirects without end at ${visit.url}`)
  }

  #keep(at: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((each) => each.trim())
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
    const isOver = attributes.some((each) => /^max-age=0$/i.test(each) || /^expires=Thu, 01 Jan 1970/i.test(each))
    const key = `${at.host}${path} ${name}`
    if (isOver || value === '') this.cookies.delete(key)
    else this.cookies.set(key, { value, host: at.host, path })
  }
}

/** Signs in at the directory's own pages as `login`, and comes back: the last answer is the one to the callback. */
export async function signInAtDirectory(browser: CookieBrowser, startUrl: string, login: string): Promise<Visit> {
  const { origin } = new URL(startUrl)
  const isBack = (url: string) => url.startsWith(`${origin}/`)
  let visit = await browser.go(startUrl, {}, (url) => url.startsWith(origin))
  for (let forms = 0; forms < 5 && !isBack(visit.url); forms++) {
    const action = /<form[^>]* action="([^"]+)"/.exec(visit.text)?.[1]
    if (action === undefined) return visit
    const prompt = /name="prompt" value="(\w+)"/.exec(visit.text)?.[1] ?? 'login'
    const form = { prompt, ...(prompt === 'login' && { login, password: 'any' }) }
    visit = await browser.go(new URL(action, visit.url).href, { method: 'POST', form }, isBack)
  }
  return browser.send(visit.url)
}
