import type { Context } from '../../../context.ts'
import type { Mail } from '../../../infra/mail/mail.ts'

/** Mails that go out behind the answer, so that nobody learns from its time whether there was anybody to write to. */
export type AccountMails = {
  /** `work` makes the mail, or undefined when there is nobody to write to. */
  later(work: () => Promise<Mail | undefined>): void
  /** Resolves when none is under way any more. */
  stop(): Promise<void>
}

/** Under way at once; a crowd that asks for more gets no mails, which is told in the log. */
const MOST_UNDER_WAY = 100

export function openAccountMails(ctx: Context): AccountMails {
  const underWay = new Set<Promise<void>>()
  const send = async (work: () => Promise<Mail | undefined>) => {
    try {
      const mail = await work()
      if (mail) await ctx.mail.send(mail)
    } catch (error) {
      ctx.log.error({ code: codeOf(error) }, 'a mail about an account could not be sent')
    }
  }
  return {
    later: (work) => {
      if (!ctx.mail.isOn) return
      if (underWay.size >= MOST_UNDER_WAY) return ctx.log.warn('too many mails about accounts are under way: one was not sent')
      const sending = send(work).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    stop: async () => void (await Promise.allSettled(underWay)),
  }
}

/** What servers of mail say may quote the address, so only the code of an error is told. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

/** In both languages of the dashboard: nobody has said yet which one its reader reads. */
type Text = { en: string; ar: string }

function inBoth(to: string, subject: Text, lines: Text, link?: string): Mail {
  const body = [lines.en, ...(link ? [link] : []), lines.ar, ...(link ? [link] : [])]
  return { to, subject: `${subject.en} · ${subject.ar}`, text: `${body.join('\n\n')}\n` }
}

export function resetMail(to: string, link: string): Mail {
  return inBoth(
    to,
    { en: 'Choose a new password', ar: 'اختيار كلمة مرور جديدة' },
    {
      en: "Open this link within 30 minutes to choose a new password for ContentFlow. It works once and ends all your sessions. If you didn't ask for it, ignore this email: nothing changes.",
      ar: 'يُرجى فتح هذا الرابط خلال 30 دقيقة لاختيار كلمة مرور جديدة في ContentFlow. يعمل الرابط مرة واحدة وينهي كل جلساتك. إذا لم يكن الطلب منك فيمكن تجاهل هذه الرسالة، ولن يتغير شيء.',
    },
    link,
  )
}

export function newAddressMail(to: string, link: string): Mail {
  return inBoth(
    to,
    { en: 'Confirm your new email address', ar: 'تأكيد عنوان بريدك الجديد' },
    {
      en: "Open this link within 30 minutes, signed in, to sign in to ContentFlow with this email address from now on. If you didn't ask for it, ignore this email.",
      ar: 'يُرجى فتح هذا الرابط خلال 30 دقيقة بعد تسجيل الدخول ليصبح هذا العنوان عنوانك في ContentFlow. إذا لم يكن الطلب منك فيمكن تجاهل هذه الرسالة.',
    },
    link,
  )
}

/** The mail to the address that an account has so far. */
export function addressChangingMail(to: string): Mail {
  return inBoth(
    to,
    { en: 'Your email address is about to change', ar: 'طلب تغيير عنوان بريدك' },
    {
      en: "Somebody signed in to your ContentFlow account, with your password, asked for another email address. If it wasn't you, change your password now.",
      ar: 'طُلب تغيير عنوان بريد حسابك في ContentFlow بعد تسجيل الدخول بكلمة مرورك. إذا لم يكن الطلب منك فيلزم تغيير كلمة المرور الآن.',
    },
  )
}

/** That somebody else took the second factors of an account away. */
export function factorsRemovedMail(to: string): Mail {
  return inBoth(
    to,
    { en: 'Your second step at sign-in was removed', ar: 'أُزيلت الخطوة الثانية من تسجيل دخولك' },
    {
      en: 'An admin of your workspace, or the operator of this ContentFlow server, removed the authenticator app, the passkeys and the recovery codes of your account, and ended its sessions. If you did not ask for it, tell them, and change your password.',
      ar: 'أزال أحد مديري مساحة عملك أو مشغّل خادم ContentFlow هذا تطبيق المصادقة ومفاتيح المرور ورموز الاسترداد من حسابك، وأنهى جلساته. إذا لم تطلب ذلك فيُرجى إبلاغه وتغيير كلمة المرور.',
    },
  )
}

/** That somebody else made a link which gives the account a new password. */
export function linkMadeMail(to: string): Mail {
  return inBoth(
    to,
    { en: 'A link to a new password was created', ar: 'أُنشئ رابط لكلمة مرور جديدة' },
    {
      en: 'An admin of your workspace, or the operator of this ContentFlow server, created a link that gives your account a new password. If you did not ask for it, tell them.',
      ar: 'أنشأ أحد مديري مساحة عملك أو مشغّل خادم ContentFlow هذا رابطًا يعطي حسابك كلمة مرور جديدة. إذا لم تطلب ذلك فيُرجى إبلاغه.',
    },
  )
}
