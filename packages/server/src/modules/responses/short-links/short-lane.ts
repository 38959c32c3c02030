/** HOT PATH. Short links of text messages, answered before the framework sees the request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { classifyHit } from '@contentflow/core/messages/responses/hit.ts'
import { readShortPath, SHORT_ROOT } from '@contentflow/core/messages/short-link.ts'
import type { Context } from '../../../context.ts'
import type { BothLanguages } from '../../../http/link-pages/link-page.ts'
import { isHead, type FastLane } from '../../../http/node-server.ts'
import type { HitWriter } from '../hit-writer.ts'
import { ALWAYS, answerUnknown, leadTo, UNAVAILABLE } from '../link-answers.ts'
import { openShortLinks, type ShortLink } from './find-short-links.ts'

export { SHORT_ROOT }

const TEXTS: BothLanguages = {
  en: {
    title: 'This link leads nowhere',
    ask: '',
    button: '',
    done: '',
    unknown: 'The link is not complete, or it is older than 180 days. Open it from the message again.',
  },
  ar: {
    title: 'هذا الرابط لا يؤدي إلى أي مكان',
    ask: '',
    button: '',
    done: '',
    unknown: 'الرابط غير مكتمل أو مضى عليه أكثر من 180 يومًا. افتحه من الرسالة مرة أخرى.',
  },
}
const REFUSED = [...ALWAYS, 'retry-after', '60', 'content-length', '0']

/** Answers what begins with `/s/`. */
export function openShortLane(ctx: Context, hits: Pick<HitWriter, 'add'>): FastLane {
  const links = openShortLinks(ctx)
  const outcomes = { led: ctx.metrics.responses.labels('short', 'led'), unknown: ctx.metrics.responses.labels('short', 'unknown') }
  const lead = (request: IncomingMessage, response: ServerResponse, { url, counted }: ShortLink): void => {
    outcomes.led.inc()
    if (counted) {
      const { url: _, ...link } = counted
      // A HEAD is answered as a GET, and is no person's.
      const method = isHead(request) ? 'HEAD' : 'GET'
      hits.add({ ...link, at: ctx.clock.ms(), class: classifyHit({ method, isOpening: false, headers: request.headers }) })
    }
    leadTo(response, url)
  }
  const answerMissing = (request: IncomingMessage, response: ServerResponse): void => {
    outcomes.unknown.inc()
    answerUnknown(request, response, TEXTS)
  }
  const look = async (request: IncomingMessage, response: ServerResponse, { slug, code }: { slug: string; code: string }) => {
    const found = await links.find(request, slug, code)
    if (found === 'unknown') answerMissing(request, response)
    else if (found === 'busy') response.writeHead(503, UNAVAILABLE).end()
    else if (found === 'refused') response.writeHead(429, REFUSED).end()
    else lead(request, response, found)
  }
  return (request, response) => {
    const { method, url = '' } = request
    if (method !== 'GET') return false
    request.resume()
    // What stands behind a `?` was added by others on the way, and means nothing.
    const [path = ''] = url.split('?', 1)
    const asked = readShortPath(path)
    if (!asked) {
      answerMissing(request, response)
      return true
    }
    const known = links.peek(asked.slug, asked.code)
    if (known) lead(request, response, known)
    else
      look(request, response, asked).catch((error: unknown) => {
        ctx.log.error({ err: error }, 'a short link could not be answered')
        if (!response.headersSent) response.writeHead(503, UNAVAILABLE).end()
      })
    return true
  }
}
