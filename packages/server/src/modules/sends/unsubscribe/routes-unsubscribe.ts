import type { Context } from '../../../context.ts'
import type { BothLanguages } from '../../../http/link-pages/link-page.ts'
import { linkPageRoutes } from '../../../http/link-pages/link-page-routes.ts'
import type { Routes } from '../../../http/routes.ts'
import { findPageBrand } from './page-brand.ts'
import { readUnsubscribe, withdraw } from './unsubscribe.ts'

const TEXTS: BothLanguages = {
  en: {
    title: 'Email settings',
    ask: 'Do you want to stop getting these emails?',
    button: 'Unsubscribe',
    done: 'You are unsubscribed. No more of these emails will be sent to you.',
    unknown: 'This link is not complete. Open it from the email again, or ask the sender.',
  },
  ar: {
    title: 'إعدادات البريد الإلكتروني',
    ask: 'هل تريد التوقف عن استلام هذه الرسائل؟',
    button: 'إلغاء الاشتراك',
    done: 'تم إلغاء اشتراكك. لن نرسل إليك هذه الرسائل بعد الآن.',
    unknown: 'الرابط غير مكتمل. افتحه من الرسالة مرة أخرى أو تواصل مع المرسل.',
  },
}

export function unsubscribeRoutes(app: Routes, ctx: Context): void {
  linkPageRoutes(app, {
    path: '/unsubscribe',
    tag: 'Sends',
    texts: TEXTS,
    brandOf: async (token) => {
      const leaver = await readUnsubscribe(ctx, token)
      return leaver && findPageBrand(ctx.db, leaver.workspaceId)
    },
    look: {
      id: 'showUnsubscribePage',
      summary: 'The page behind the link in a mail; it changes nothing by itself',
      description:
        'Answers an HTML page in the language of the browser, in the brand of the workspace. The token is the credential; an unknown one is 404. Mail programs open links too, so this changes nothing.',
      run: async (token) => ((await readUnsubscribe(ctx, token)) ? 'ask' : 'unknown'),
    },
    act: {
      id: 'unsubscribe',
      summary: 'Withdraw the consent to email, with one click (RFC 8058)',
      description:
        'Called by the page and by mail programs. Withdraws the consent of the person to email, as an entry of the consent ledger; done again it changes nothing. Any body is taken, because the token says who it is about.',
      run: async (token) => {
        const leaver = await readUnsubscribe(ctx, token)
        if (leaver) await withdraw(ctx, leaver, 'email')
        return leaver ? 'done' : 'unknown'
      },
    },
  })
}
