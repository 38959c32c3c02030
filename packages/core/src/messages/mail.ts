/**
 * A mail as HTML and as plain text, from the same words. One column of 600 px; tables and attributes where mail programs
 * know nothing newer; colours that dark mode can turn around.
 */

type MailContent = {
  title: string
  body: string
  imageUrl: string | undefined
  button: { label: string; url: string } | undefined
  language: string
  isRightToLeft: boolean
  unsubscribeUrl: string | undefined
  /** The page of their preferences; undefined: no link to it. */
  preferencesUrl?: string | undefined
  /** A picture that is not seen: whoever looks at the mail loads it. */
  pictureUrl?: string | undefined
  /** A link that is not seen: only scanners follow it. */
  trapUrl?: string | undefined
}

/** Hidden from eyes, screen readers and the keyboard. */
export function trapHtml(url: string | undefined): string {
  if (url === undefined) return ''
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true"><a href="${escape(url)}" tabindex="-1" rel="nofollow"></a></div>`
}

const LEAVE = { en: 'Unsubscribe from these emails', ar: 'إلغاء الاشتراك في هذه الرسائل' }
const CHOOSE = { en: 'Your preferences', ar: 'تفضيلاتك' }
const FONT = "-apple-system,'Segoe UI',Roboto,'Noto Naskh Arabic',Tahoma,Arial,sans-serif"

export function renderMail(shown: MailContent): { body: string; html: string } {
  return { body: renderText(shown), html: renderHtml(shown) }
}

/** What the link says by which people leave, in their language. */
export function leaveWords(language: string): string {
  return language.toLowerCase().startsWith('ar') ? LEAVE.ar : LEAVE.en
}

/** What the link says that leads to the page of their preferences, in their language. */
export function preferenceWords(language: string): string {
  return language.toLowerCase().startsWith('ar') ? CHOOSE.ar : CHOOSE.en
}

export type FooterLinks = Pick<MailContent, 'language' | 'unsubscribeUrl' | 'preferencesUrl'>

/** The links at the end of a mail, in their order: what each says, and where it leads. */
export function footerLinks({ language, unsubscribeUrl, preferencesUrl }: FooterLinks): { words: string; url: string }[] {
  return [
    ...(preferencesUrl === undefined ? [] : [{ words: preferenceWords(language), url: preferencesUrl }]),
    ...(unsubscribeUrl === undefined ? [] : [{ words: leaveWords(language), url: unsubscribeUrl }]),
  ]
}

/** With the end of a mail as plain text: the company, where one is named, and the links; without both it stays as it is. */
export function withFooter(said: string, links: FooterLinks, company = ''): string {
  const lines = [company, ...footerLinks(links).map(({ words, url }) => `${words}: ${url}`)].filter((line) => line !== '')
  return lines.length === 0 ? said : `${said}\n\n--\n${lines.join('\n')}`
}

function renderText(shown: MailContent): string {
  const { title, body, button } = shown
  const parts = [title, body, button && `${button.label}: ${button.url}`]
  const said = parts.filter((part) => part !== undefined && part !== '').join('\n\n')
  return withFooter(said, shown)
}

function renderHtml(shown: MailContent): string {
  const { title, body, imageUrl, button, language, pictureUrl, trapUrl } = shown
  const links = footerLinks(shown)
  const [direction, side] = shown.isRightToLeft ? ['rtl', 'right'] : ['ltr', 'left']
  const cell = (inner: string, padding: string) => `<tr><td align="${side}" style="padding:${padding}">${inner}</td></tr>`
  const rows = [
    imageUrl !== undefined &&
      `<tr><td><img src="${escape(imageUrl)}" alt="${escape(title)}" width="600" style="display:block;width:100%;height:auto;border:0"></td></tr>`,
    title !== '' && cell(`<h1 style="margin:0;font-size:24px;line-height:32px">${lines(title)}</h1>`, '32px 32px 0'),
    body !== '' && cell(`<p style="margin:0;font-size:16px;line-height:26px">${lines(body)}</p>`, '16px 32px 0'),
    button && cell(buttonHtml(button), '24px 32px 0'),
    cell('', '16px'),
    links.length > 0 &&
      cell(
        `<p style="margin:0;font-size:13px;line-height:20px;color:#6b7280">${links.map(({ words, url }) => `<a href="${escape(url)}" style="color:#6b7280">${words}</a>`).join(' &nbsp; ')}</p>`,
        '16px 32px 32px',
      ),
  ]
  // At the top, because long mails are cut at their end.
  const picture =
    pictureUrl === undefined
      ? ''
      : `<img src="${escape(pictureUrl)}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`
  return `<!doctype html><html lang="${escape(language)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title></head><body style="margin:0;padding:0;background:#f3f4f6" dir="${direction}">${picture}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px"><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background:#ffffff;color:#111827;border-radius:12px;overflow:hidden;font-family:${FONT}">${rows.filter((row) => typeof row === 'string').join('')}</table></td></tr></table>${trapHtml(trapUrl)}</body></html>`
}

/** A table, because Outlook gives a link no room of its own. */
function buttonHtml({ label, url }: { label: string; url: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#1d4ed8" style="border-radius:8px"><a href="${escape(url)}" style="display:inline-block;padding:14px 24px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escape(label)}</a></td></tr></table>`
}

function lines(text: string): string {
  return escape(text).replaceAll(/\r\n|\r|\n/g, '<br>')
}

const SIGNS: { [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** As text of a page or an attribute. */
export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)
}
