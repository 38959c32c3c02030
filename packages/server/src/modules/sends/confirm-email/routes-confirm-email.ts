import type { Context } from '../../../context.ts'
import type { BothLanguages } from '../../../http/link-pages/link-page.ts'
import { linkPageRoutes } from '../../../http/link-pages/link-page-routes.ts'
import type { Routes } from '../../../http/routes.ts'
import { findConfirmation } from '../../people/index.ts'
import { confirmEmail } from './confirm.ts'

const TEXTS: BothLanguages = {
  en: {
    title: 'Your email address',
    ask: 'Do you want emails at this address?',
    button: 'Confirm this address',
    done: 'Your address is confirmed. You can unsubscribe in every email.',
    over: 'There is nothing to confirm any more.',
    unknown: 'This link is not complete. Open it from the email again, or ask the sender.',
  },
  ar: {
    title: 'عنوان بريدك الإلكتروني',
    ask: 'هل تريد استلام الرسائل على هذا العنوان؟',
    button: 'تأكيد العنوان',
    done: 'تم تأكيد عنوانك. يمكنك إلغاء الاشتراك من أي رسالة.',
    over: 'لم يعد هناك ما يلزم تأكيده.',
    unknown: 'الرابط غير مكتمل. يُرجى فتحه من الرسالة مرة أخرى أو التواصل مع المرسل.',
  },
}

export function confirmEmailRoutes(app: Routes, ctx: Context): void {
  const read = async (token: string) => {
    const [workspaceId, id] = (await ctx.links.open('email', token)) ?? []
    return workspaceId !== undefined && id !== undefined ? { workspaceId, id } : undefined
  }
  linkPageRoutes(app, {
    path: '/confirm-email',
    tag: 'Sends',
    texts: TEXTS,
    look: {
      id: 'showEmailConfirmationPage',
      summary: 'The page behind the link that asks whether mail is wanted; it changes nothing by itself',
      description:
        'Answers an HTML page in the language of the browser. 404 for an unknown token, 410 when there is nothing to confirm any more. It changes nothing.',
      run: async (token) => {
        const of = await read(token)
        if (!of) return 'unknown'
        const row = await findConfirmation(ctx.db, of.workspaceId, of.id)
        if (!row) return 'over'
        return row.confirmed_at === null ? 'ask' : 'done'
      },
    },
    act: {
      id: 'confirmEmail',
      summary: 'Confirm that mail is wanted at this address (double opt-in)',
      description:
        'Called by the page. From then on mail goes to this address. 410 when the person or the address is another one meanwhile.',
      run: async (token) => {
        const of = await read(token)
        if (!of) return 'unknown'
        return (await confirmEmail(ctx, of.workspaceId, of.id)) ? 'done' : 'over'
      },
    },
  })
}
