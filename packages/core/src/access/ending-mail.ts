/** The mail that says that a token or a key is about to end, in both languages of the dashboard. */

/** `hint`: by which people tell it apart. `account`: the name of the service account, of a token. `link`: where it is replaced. */
export type EndingMail = { workspace: string; account: string | null; name: string; hint: string; endsAt: Date; link: string | null }

export function endingMail(of: EndingMail): { title: string; body: string } {
  const end = `${of.endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const title = of.account === null ? 'A key is about to end · مفتاح يوشك أن ينتهي' : 'A token is about to end · رمز يوشك أن ينتهي'
  const body = [english(of, end), ...link(of), arabic(of, end), ...link(of)]
  return { title, body: body.join('\n\n') }
}

const link = (of: EndingMail) => (of.link === null ? [] : [of.link])

function english({ workspace, account, name, hint }: EndingMail, end: string): string {
  const what = account === null ? `The key ${named(name, hint)}` : `The token ${hint} of the service account “${account}”`
  return `${what} in the workspace “${workspace}” ends on ${end}. Replace it before: programs that still use it are rejected from then on.`
}

function arabic({ workspace, account, name, hint }: EndingMail, end: string): string {
  const what = account === null ? `ينتهي المفتاح ${named(name, hint)}` : `ينتهي الرمز ${apart(hint)} لحساب الخدمة «${apart(account)}»`
  return `${what} في مساحة العمل «${apart(workspace)}» في ${apart(end)}. يلزم استبداله قبل ذلك، وإلا تُرفض بعده البرامج التي ما زالت تستخدمه.`
}

const named = (name: string, hint: string) => (name === '' ? apart(hint) : `“${apart(name)}” (${apart(hint)})`)

/** Of another direction than what stands around it. */
const apart = (text: string) => `\u2068${text}\u2069`
