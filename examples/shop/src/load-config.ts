/** Where the shop's content comes from; the server answers it beside the page. */
export type ShopConfig = { baseUrl: string; key: string }

/** The server's answer, with a complete address. In development a key may be given in the page's own address instead. */
export async function loadConfig(): Promise<ShopConfig> {
  const given = import.meta.env.DEV ? new URLSearchParams(location.search).get('key') : null
  if (given) return complete({ baseUrl: '/sdk/v1', key: given })
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`, { cache: 'no-store' })
  if (!response.ok) throw new Error(`The server answered ${response.status} when asked for the shop's configuration`)
  return complete(parseConfig(await response.json()))
}

function parseConfig(answer: unknown): ShopConfig {
  if (typeof answer === 'object' && answer !== null && 'baseUrl' in answer && 'key' in answer) {
    const { baseUrl, key } = answer
    if (typeof baseUrl === 'string' && typeof key === 'string') return { baseUrl, key }
    if (key === null) throw new Error('This installation has no demo workspace')
  }
  throw new Error("The shop's configuration must be { baseUrl, key }")
}

function complete({ baseUrl, key }: ShopConfig): ShopConfig {
  return { baseUrl: new URL(baseUrl, location.origin).href, key }
}
