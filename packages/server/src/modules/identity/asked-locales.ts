/**
 * The language that a person's app asked for last, in which they are written to (G-50). Reads say it; it is written down behind
 * them, of many devices at a time, when it is another one than was heard before.
 */
import { LIMITS } from '@contentflow/core/limits.ts'
import { askedLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../context.ts'
import type { AppCaller, HearLocale } from '../../http/callers/caller.ts'
import { batched } from '../../infra/concurrency/batched.ts'
import { GenerationalCacheByWorkspace } from '../../infra/cache/generational-cache-by-workspace.ts'
import { isConnectionError } from '../../infra/unavailable.ts'
import { byApp, lockProfiles, updateLocales } from '../people/index.ts'
import { changePeople } from '../segments/index.ts'
import { listAskers, type AskedLocale } from './queries-locales.ts'

/** Devices of which it is remembered what they asked for. */
const HEARD = 200_000
/** How an `Accept-Language` is kept in memory. */
const HEARD_LENGTH = 100
const SAVED_TOGETHER = 200
/** Devices that may wait to be written down: more ask again, and are heard then. */
const WAITING = 10_000

type LocaleUse = AskedLocale & { caller: AppCaller }

export function openAskedLocales(ctx: Context): HearLocale {
  const heard = new GenerationalCacheByWorkspace<string>(HEARD)
  ctx.metrics.watchCache('locales', 'entries', () => heard.size)
  const save = batched((asked: readonly LocaleUse[]) => saveTogether(ctx, asked), {
    most: SAVED_TOGETHER,
    atOnce: 1,
    groupOf: ({ caller }) => caller.workspaceId,
    isForAll: isConnectionError,
  })
  let waiting = 0
  // An identify says a language too.
  ctx.signals.on('device', ({ workspaceId, deviceId }) => heard.delete(workspaceId, deviceId))
  return (caller, deviceId, query, acceptLanguage) => {
    const said = (query ?? acceptLanguage)?.slice(0, HEARD_LENGTH)
    if (said === undefined || deviceId === undefined || deviceId === '' || deviceId.length > LIMITS.deviceIdLength) return
    const { workspaceId } = caller
    if (heard.get(workspaceId, deviceId) === said || waiting >= WAITING) return
    heard.set(workspaceId, deviceId, said)
    const locale = askedLocale(query, acceptLanguage)
    if (locale === undefined) return
    waiting++
    save({ caller, deviceId, locale })
      .catch((error: unknown) => {
        heard.delete(workspaceId, deviceId)
        ctx.log.debug({ err: error }, 'the language that a device asked for could not be written down')
      })
      .finally(() => waiting--)
  }
}

/** Saves the locales of one workspace. Most people asked for the same locale before; for them nothing is locked. */
async function saveTogether(ctx: Context, asked: readonly LocaleUse[]): Promise<void[]> {
  const { caller } = asked[0]!
  const { workspaceId } = caller
  const found = await listAskers(ctx.db, workspaceId, asked.map(toAsker), ctx.clock.now())
  if (found.size > 0)
    await changePeople(ctx, byApp(caller), async ({ tx, changed }) => {
      const people = await lockProfiles(tx, workspaceId, [...found.keys()])
      await updateLocales(tx, workspaceId, new Map(people.map(({ id }) => [id, found.get(id)!])))
      for (const { id } of people) changed(id)
    })
  return asked.map(() => undefined)
}

function toAsker({ caller: { environment }, deviceId, locale }: LocaleUse) {
  return { environment, deviceId, locale }
}
