import type { Context } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import type { BothLanguages } from '../../../http/link-pages/link-page.ts'
import { linkPageRoutes } from '../../../http/link-pages/link-page-routes.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { EnvironmentName, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../../http/schema.ts'
import { confirmRequest, isOpen, rejectRequest } from './erasure-requests.ts'
import { getErasureRequest, pageErasureRequests, type ListedErasureRequest } from './queries-erasure-requests.ts'

const route = routeIn('People')
const STATES = ['open', 'confirmed', 'rejected', 'expired'] as const
const State = Type.Enum([...STATES])

export const ErasureRequestSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentName,
  state: State,
  userId: Nullable(Type.String({ description: 'Whom it is about, while it is open' })),
  requestedBy: Type.String({ description: 'The application key' }),
  requestedAt: Time,
  expiresAt: Time,
  mailedAt: Nullable(Time),
  decidedBy: Nullable(Type.String({ description: 'The account of the admin, or `person`' })),
  decidedAt: Nullable(Time),
  erasureId: Nullable(Type.String({ description: 'The receipt: GET /erasures/{id}' })),
})

function present(row: ListedErasureRequest, now: Date) {
  return {
    id: row.id,
    environment: row.environment,
    state: row.state === 'open' && !isOpen(row, now) ? ('expired' as const) : row.state,
    userId: row.user_id,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    mailedAt: row.mailed_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    erasureId: row.erasure_id,
  }
}

/** Erasures that wait for somebody: whoever asked had a key and a device, which is nobody's proof (protection confirmErasures). */
export function erasureRequestRoutes(app: Routes, ctx: Context): void {
  const Query = Type.Object({
    ...PageQuery.properties,
    state: Type.Optional(Type.Enum([...STATES], { description: 'Requests in this state' })),
  })
  const Answer = { 200: Ok(ErasureRequestSchema) }
  const params = pathOf({ id: 'The id of the request' })
  app.get(
    '/erasure-requests',
    route({
      id: 'listErasureRequests',
      auth: 'member',
      permission: 'people:read',
      summary: 'Erasures that wait for the person or an admin, and what became of others; newest first',
      description: 'Lists erasures that an app asked for and that somebody has to confirm. `userId` is there only while a request is open.',
      query: Query,
      out: Page('requests', ErasureRequestSchema),
    }),
    async (request) => {
      const { limit, cursor, state } = queryOf(request)
      const now = ctx.clock.now()
      const found = await pageErasureRequests(ctx.db, memberCaller(request).workspaceId, { state, before: cursor, limit, now })
      return page('requests', found, (row) => present(row, now))
    },
  )
  app.post(
    '/erasure-requests/:id/confirm',
    route({
      id: 'confirmErasureRequest',
      auth: 'member',
      permission: 'people:manage',
      staysOpen: true,
      summary: 'Erase the person that a request is about',
      description: 'Begins the erasure that was asked for. It cannot be taken back. A request that was decided or has expired is 409.',
      params,
      out: Answer,
      refuses: ['ERASURE_REQUEST_OVER'],
    }),
    async (request) => ok(present(await confirmRequest(ctx, actorOf(request), request.params.id), ctx.clock.now())),
  )
  app.post(
    '/erasure-requests/:id/reject',
    route({
      id: 'rejectErasureRequest',
      auth: 'member',
      permission: 'people:manage',
      summary: 'Reject a request for an erasure: the person stays as they are',
      description: 'Closes the request without erasing anybody. The app may ask again.',
      params,
      out: Answer,
      refuses: ['ERASURE_REQUEST_OVER'],
    }),
    async (request) => ok(present(await rejectRequest(ctx, actorOf(request), request.params.id), ctx.clock.now())),
  )
  pageOfPerson(app, ctx)
}

const TEXTS: BothLanguages = {
  en: {
    title: 'Erase your data',
    ask: 'Do you want everything erased that is known of you here? This can’t be undone.',
    button: 'Erase my data',
    done: 'Your data is being erased.',
    over: 'This request was decided or has expired. Nothing is erased by this link.',
    unknown: 'This link is not complete. Open it from the email again, or ask the sender.',
  },
  ar: {
    title: 'محو بياناتك',
    ask: 'هل تريد محو كل ما يُعرف عنك هنا؟ لا يمكن التراجع عن ذلك.',
    button: 'محو بياناتي',
    done: 'بدأ محو بياناتك.',
    over: 'بُتّ في هذا الطلب أو انتهت مدته. لا يمحو هذا الرابط شيئًا.',
    unknown: 'الرابط غير مكتمل. يُرجى فتحه من الرسالة مرة أخرى أو التواصل مع المرسل.',
  },
}

function pageOfPerson(app: Routes, ctx: Context): void {
  const read = async (token: string) => {
    const [workspaceId, id] = (await ctx.links.open('erasure', token)) ?? []
    return workspaceId !== undefined && id !== undefined ? { workspaceId, id } : undefined
  }
  const lookAt = async (of: { workspaceId: string; id: string }) => {
    const row = await getErasureRequest(ctx.db, of.workspaceId, of.id).catch(unlessMissing)
    return row && isOpen(row, ctx.clock.now()) ? ('ask' as const) : ('over' as const)
  }
  linkPageRoutes(app, {
    path: '/confirm-erasure',
    tag: 'People',
    texts: TEXTS,
    look: {
      id: 'showErasurePage',
      summary: 'The page behind the link that asks a person about an erasure; it changes nothing by itself',
      description:
        'Answers an HTML page in the language of the browser. 404 for an unknown token, 410 when the request was decided or has expired. It changes nothing.',
      run: async (token) => {
        const of = await read(token)
        return of ? lookAt(of) : 'unknown'
      },
    },
    act: {
      id: 'confirmErasureAsPerson',
      summary: 'Confirm the erasure, by the person it is about',
      description: 'Called by the page. Begins the erasure, which cannot be taken back. 410 when the request was decided or has expired.',
      run: async (token) => {
        const of = await read(token)
        if (!of) return 'unknown'
        if ((await lookAt(of)) === 'over') return 'over'
        const confirmed = await confirmRequest(ctx, { workspaceId: of.workspaceId, actor: 'person' }, of.id).catch(unlessMissing)
        return confirmed ? 'done' : 'over'
      },
    },
  })
}

/** Gone with the person, or decided meanwhile. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.code === 'ERASURE_REQUEST_OVER')) return undefined
  throw error
}
