/** What a page has asked for and not been answered yet. */
import type { Page, Request } from 'playwright-core'
import { until } from '../../../server/test/harness/until.ts'

export type Traffic = {
  isBusy(): boolean
  /** Resolves once everything was answered or failed. */
  end(): Promise<void>
}

/** Sooner than Playwright's `networkidle`, which lets half a second pass each time and waits for frames that are gone. */
export function watchTraffic(page: Page): Traffic {
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    // A stream has no end.
    if (request.resourceType() !== 'eventsource') underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  page.on('framedetached', (frame) => {
    for (const request of underWay) if (frameOf(request) === frame) underWay.delete(request)
  })
  const isBusy = () => underWay.size > 0
  const urls = () => [...underWay].map((request) => request.url()).join(' ')
  return { isBusy, end: async () => until('the page has every answer', () => !isBusy(), urls) }
}

/** None of a page that is only about to be opened. */
function frameOf(request: Request) {
  return request.isNavigationRequest() ? undefined : request.frame()
}
