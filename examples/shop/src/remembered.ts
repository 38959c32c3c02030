/** What this browser remembers of the shop. Storage may be forbidden; the shop then works without a memory. */

export type ShopLocale = 'en' | 'ar'
export type Person = { userId: string; name: string; traits: { plan?: string; city?: string } }
export type BagLine = { instanceId: string; count: number }

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`souq-lane.${name}`) ?? 'null')
  } catch {
    return null
  }
}

export function remember(name: 'locale' | 'theme' | 'person' | 'bag' | 'push', value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`souq-lane.${name}`)
    else localStorage.setItem(`souq-lane.${name}`, JSON.stringify(value))
  } catch {
    // Full or forbidden: nothing is lost but the memory.
  }
}

export function rememberedLocale(): ShopLocale {
  const known = read('locale')
  if (known === 'en' || known === 'ar') return known
  return navigator.language.toLowerCase().startsWith('ar') ? 'ar' : 'en'
}

/** Undefined follows the system. */
export function rememberedTheme(): 'light' | 'dark' | undefined {
  const known = read('theme')
  return known === 'light' || known === 'dark' ? known : undefined
}

export function rememberedPerson(): Person | undefined {
  const known = read('person')
  if (!isRecord(known) || typeof known['userId'] !== 'string') return undefined
  const traits = isRecord(known['traits']) ? known['traits'] : {}
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    userId: known['userId'],
    name: text(known['name']) ?? '',
    traits: { plan: text(traits['plan']), city: text(traits['city']) },
  }
}

/** Whether this browser was subscribed to push messages of the shop. */
export function wasSubscribed(): boolean {
  return read('push') === true
}

export function rememberedBag(): BagLine[] {
  const known = read('bag')
  return Array.isArray(known) ? known.filter(isBagLine) : []
}

function isBagLine(value: unknown): value is BagLine {
  return isRecord(value) && typeof value['instanceId'] === 'string' && Number.isInteger(value['count']) && Number(value['count']) > 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
