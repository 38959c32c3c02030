import type { AuditEntry } from '@contentflow/server/wire.ts'
import { kindOf, verbOf } from './action-words.ts'
import { useAuditTexts } from './texts.ts'

/** Actions that are said as a whole. */
const WHOLE = [
  'logIn',
  'logOut',
  'signUp',
  'resetPassword',
  'resetPasswordOnMachine',
  'openSession',
  'endSession',
  'closeSession',
  'changePassword',
  'updateMe',
  'takeNewEmail',
  'askForNewEmail',
  'deleteMe',
  'restoreMe',
  'joinWorkspace',
  'renameWorkspace',
  'finishSignIn',
  'linkIdentity',
  'logInByPasskey',
  'logInSecond',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'beginAuthenticator',
  'confirmAuthenticator',
  'removeAuthenticator',
  'renewRecoveryCodes',
  'endWorkspace',
  'restoreWorkspace',
] as const

/** An entry in a plain sentence: “Nora published content “Summer””. What has no words here is said by its name. */
export function useSentence(): (entry: AuditEntry) => string {
  const t = useAuditTexts()
  const nameOf = ({ actor }: AuditEntry) => actor.name ?? t(`actor_${actor.kind}`)
  const describe = ({ object }: AuditEntry): string | undefined => {
    if (!object) return undefined
    const kind = kindOf(object.kind)
    const words = kind ? t(`kind_${kind}`) : object.kind
    const isHash = object.kind === 'person' || object.kind === 'device'
    const name = object.name ?? (object.kind === 'setting' || object.kind === 'locale' || object.kind === 'string' ? object.id : '')
    return name === '' || isHash ? words : t('named', { kind: words, name })
  }
  return (entry) => {
    const who = nameOf(entry)
    const whole = WHOLE.find((action) => action === entry.action)
    if (whole) return t('sentenceAlone', { who, did: t(`action_${whole}`) })
    const verb = verbOf(entry.action)
    const what = describe(entry)
    if (!verb || what === undefined) return t('sentenceAlone', { who, did: verb ? `${t(`did_${verb}`)} (${entry.action})` : entry.action })
    return t('sentence', { who, did: t(`did_${verb}`), what })
  }
}
