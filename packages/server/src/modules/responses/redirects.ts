/**
 * HOT PATH. Where links of mails lead, and the picture that says a mail was opened: answered before the framework sees the
 * request. An answer takes no database: the destination is sealed in the address, and what happened is written a moment later.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { classifyHit } from '@contentflow/core/messages/responses/hit.ts'
import type { Context } from '../../context.ts'
import type { BothLanguages } from '../../http/link-pages/link-page.ts'
import { isHead, type FastLane } from '../../http/node-server.ts'
import { openHitWriter } from './hit-writer.ts'
import { ALWAYS, answerUnknown, leadTo, UNAVAILABLE } from './link-answers.ts'
import { openShortLane, SHORT_ROOT } from './short-links/short-lane.ts'
import { CLICKS, peekLink, PICTURE_END, PICTURES, readLink, type Followed, type FollowedLink } from './tracked-links.ts'

export type Redirects = {
  lane: FastLane
  /** Resolves when everything that was answered is written. */
  stop(): Promise<void>
}

/** One transparent point. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICTAEAOw==', 'base64')

const OF_PICTURE = [...ALWAYS, 'content-type', 'image/gif', 'content-length', String(PICTURE.length)]

const TEXTS: BothLanguages = {
  en: {
    title: 'This link leads nowhere',
    ask: '',
    button: '',
    done: '',
    unknown: 'The link is not complete, or it was changed. Open it from the message again.',
  },
  ar: {
    title: 'هذا الرابط لا يؤدي إلى أي مكان',
    ask: '',
    button: '',
    done: '',
    unknown: 'الرابط غير مكتمل أو تم تغييره. افتحه من الرسالة مرة أخرى.',
  },
}

type Asked = { kind: Followed; token: string }

export function openRedirects(ctx: Context): Redirects {
  const hits = openHitWriter(ctx)
  const counted = (kind: Followed) => ({
    led: ctx.metrics.responses.labels(kind, 'led'),
    unknown: ctx.metrics.responses.labels(kind, 'unknown'),
  })
  const counters = { click: counted('click'), open: counted('open') }
  const lead = (request: IncomingMessage, response: ServerResponse, kind: Followed, { url, ...link }: FollowedLink): void => {
    counters[kind].led.inc()
    // A HEAD is answered as a GET, and is no person's.
    const method = isHead(request) ? 'HEAD' : 'GET'
    hits.add({
      ...link,
      at: ctx.clock.ms(),
      class: classifyHit({ method, isOpening: kind === 'open', headers: request.headers }),
    })
    if (kind === 'open') response.writeHead(200, OF_PICTURE).end(PICTURE)
    else if (url === '') response.writeHead(204, ALWAYS).end()
    else leadTo(response, url)
  }
  const lookAgain = async (request: IncomingMessage, response: ServerResponse, { kind, token }: Asked): Promise<void> => {
    const found = await readLink(ctx, kind, token)
    if (found) return lead(request, response, kind, found)
    counters[kind].unknown.inc()
    answerUnknown(request, response, TEXTS)
  }
  const short = openShortLane(ctx, hits)
  return {
    lane: (request, response, fallback) => {
      if (request.url?.startsWith(SHORT_ROOT)) return short(request, response, fallback)
      const asked = readAddress(request)
      if (!asked) return false
      request.resume()
      const fail = (error: unknown) => {
        ctx.log.error({ err: error }, 'a link of a message could not be answered')
        if (!response.headersSent) response.writeHead(503, UNAVAILABLE).end()
      }
      try {
        const found = peekLink(ctx, asked.kind, asked.token)
        if (found) lead(request, response, asked.kind, found)
        else lookAgain(request, response, asked).catch(fail)
      } catch (error) {
        fail(error)
      }
      return true
    },
    stop: async () => hits.flush(),
  }
}

/** Undefined: it is about something else. What stands behind a `?` was added by others on the way, and means nothing. */
function readAddress({ method, url = '' }: IncomingMessage): Asked | undefined {
  if (method !== 'GET') return undefined
  const [path = ''] = url.split('?', 1)
  if (path.startsWith(CLICKS)) return { kind: 'click', token: path.slice(CLICKS.length) }
  if (!path.startsWith(PICTURES) || !path.endsWith(PICTURE_END)) return undefined
  return { kind: 'open', token: path.slice(PICTURES.length, -PICTURE_END.length) }
}
