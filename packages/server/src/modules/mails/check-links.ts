/** Whether the links of a mail lead anywhere: each is called once, on demand, within bounds of number and time. */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { trackedNodes } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import type { Context } from '../../context.ts'
import { OutboundError } from '../../infra/outbound/outbound.ts'

type DeadLink = { code: 'link_dead'; node: string; url: string; status: number | null; reason: string | null }
type Checked = { checked: number; skipped: number; findings: DeadLink[] }
type Asked = { mail: MailDocument; locale: string; webAddress: string | null }

/** Addresses at once, and how long all of them together may take. */
const [AT_ONCE, WHOLE_MS] = [8, 25_000]

/** Redirects are answers; what asks for a name or too seldom for our taste is one too, because people are let in there. */
export async function checkLinks(
  { outbound }: Pick<Context, 'outbound'>,
  asker: string,
  { mail, locale, webAddress }: Asked,
): Promise<Checked> {
  const texts = mail.texts[locale]
  const nodes = texts ? trackedNodes({ content: {}, mail: { ...mail, texts: { [locale]: texts } } }) : []
  const urls = [...new Set(nodes.map(({ url }) => url))]
  const called = urls.flatMap((url) => wholeOf(url, webAddress) ?? []).slice(0, LIMITS.linksChecked)
  const signal = AbortSignal.timeout(WHOLE_MS)
  const said = new Map<string, Answered>()
  const waiting = called.values()
  const work = async () => {
    for (const { url, whole } of waiting) {
      const answered = await ask(outbound, { asker, url: whole, signal })
      if (!answered) return
      said.set(url, answered)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const findings = nodes.flatMap(({ node, url }): DeadLink[] => {
    const answered = said.get(url)
    return answered && isDead(answered) ? [{ code: 'link_dead', node, url, ...answered }] : []
  })
  return { checked: said.size, skipped: urls.length - said.size, findings }
}

/** Undefined: nobody can call it as it is written. */
function wholeOf(url: string, webAddress: string | null): { url: string; whole: string } | undefined {
  if (url.includes('{{')) return undefined
  if (url.startsWith('/')) return webAddress === null ? undefined : { url, whole: webAddress + url }
  return /^https:\/\//i.test(url) ? { url, whole: url } : undefined
}

type Answered = { status: number | null; reason: string | null }

function isDead({ status }: Answered): boolean {
  return status === null || status === 404 || status === 410 || status >= 500
}

type Call = { asker: string; url: string; signal: AbortSignal }

/** Undefined: time was over. Some servers answer only whoever wants the page. */
async function ask(outbound: Context['outbound'], { asker, url, signal }: Call): Promise<Answered | undefined> {
  try {
    for (const method of ['HEAD', 'GET'] as const) {
      const { status } = await outbound.send({ kind: 'link-check', asker, url, method, headers: { accept: 'text/html,*/*' }, signal })
      if (status < 400 || method === 'GET') return { status, reason: null }
    }
    return undefined
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, reason: error.message }
    if (signal.aborted) return undefined
    throw error
  }
}
