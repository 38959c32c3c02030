import { useClient, useSnapshot } from '@contentflow/sdk/react'
import { useState, type FormEvent } from 'react'
import { identityOf } from '../identity.ts'
import { remember, type Person } from '../remembered.ts'
import { useText } from '../use-text.ts'
import { Modal } from './modal.tsx'

const PLANS = ['', 'silver', 'gold'] as const
const CITIES = ['', 'Riyadh', 'Jeddah', 'Dammam'] as const

/** Signs in as anybody, with what the segments of the demo look at. */
export function SignInDialog({ onClose }: { onClose: () => void }) {
  const client = useClient()
  const { consent } = useSnapshot()
  const { t, own } = useText()
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const person = personIn(new FormData(event.currentTarget))
    setSending(true)
    try {
      await client.identify(identityOf(person))
      await client.signedIn()
      remember('person', person)
      onClose()
    } catch (error) {
      setProblem(String(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal title={t('account.sign_in')} onClose={onClose}>
      <p>{own('signInIntro')}</p>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <label>
          {own('userId')}
          <input name="userId" required maxLength={200} defaultValue="sara" autoComplete="username" dir="ltr" />
        </label>
        <label>
          {own('name')}
          <input name="name" maxLength={100} defaultValue="Sara" />
        </label>
        <label>
          {own('plan')}
          <select name="plan" defaultValue="gold">
            {PLANS.map((plan) => (
              <option key={plan} value={plan}>
                {own(`plan.${plan}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {own('city')}
          <select name="city" defaultValue="Riyadh">
            {CITIES.map((city) => (
              <option key={city} value={city}>
                {own(`city.${city}`)}
              </option>
            ))}
          </select>
        </label>
        {consent !== 'granted' && <p className="note">{own('consentFirst')}</p>}
        {problem !== '' && <p role="alert">{own('failed', { reason: problem })}</p>}
        <button type="submit" className="button button--wide" disabled={isSending}>
          {t('account.sign_in')}
        </button>
      </form>
    </Modal>
  )
}

function personIn(data: FormData): Person {
  const text = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return { userId: text('userId'), name: text('name'), traits: { plan: text('plan'), city: text('city') } }
}
