import type { ConsentPreset } from '@contentflow/sdk'
import { useClient, useSnapshot } from '@contentflow/sdk/react'
import { useEffect, useState } from 'react'
import { identityOf } from '../identity.ts'
import { rememberedPerson } from '../remembered.ts'
import { useText } from '../use-text.ts'
import { allowsAnalytics, CHANNELS, consentOf, fullChoice, leastChoice, type Choice } from './consent-choice.ts'
import { Modal } from './modal.tsx'

/** What the law of the shop's country asks for, as the server knows it. */
const PRESET = 'retail_ksa'

/** Asks what may be remembered and sent. Refusing takes one press, just like accepting. */
export function ConsentDialog({ onClose, mayLeave }: { onClose: () => void; mayLeave: boolean }) {
  const client = useClient()
  const { channels, consent } = useSnapshot()
  const { own, locale } = useText()
  const [preset, setPreset] = useState<ConsentPreset>()
  const [choice, setChoice] = useState<Choice>()
  const [problem, setProblem] = useState('')
  const [isSaving, setSaving] = useState(false)
  // The way out does not come in the middle of saving, which knows the answer before all of it is saved.
  const [couldLeave] = useState(mayLeave)

  useEffect(() => {
    let isCurrent = true
    client.consentPreset(PRESET).then(
      (answer) => isCurrent && setPreset(answer),
      (error: unknown) => isCurrent && setProblem(String(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [client])

  if (!preset) {
    // It opens whole, and not to say that it will.
    if (problem === '') return null
    return (
      <Modal title={own('choices')} onClose={onClose}>
        <p>{own('failed', { reason: problem })}</p>
      </Modal>
    )
  }

  const given = choice ?? knownChoice(preset, consent === 'granted', channels)
  const save = async (answer: Choice) => {
    setSaving(true)
    try {
      const person = rememberedPerson()
      const isAllowed = allowsAnalytics(answer)
      await client.identify(isAllowed && person ? identityOf(person) : { consent: isAllowed })
      await client.setFullConsent(consentOf(preset, answer))
      onClose()
    } catch (error) {
      setProblem(String(error))
    } finally {
      setSaving(false)
    }
  }
  return (
    <Modal title={own('choices')} onClose={couldLeave || (mayLeave && problem !== '') ? onClose : undefined}>
      <p>{own('choicesIntro')}</p>
      <Ticks
        name="consents"
        entries={preset.requiredConsents.map(({ id, label, required }) => ({ id, label: label[locale], isFixed: required }))}
        ticked={given.consents}
        onChange={(consents) => setChoice({ ...given, consents })}
      />
      <Ticks
        name="topics"
        title={own('topics')}
        entries={preset.topics.map(({ id, label }) => ({ id, label: label[locale] }))}
        ticked={given.topics}
        onChange={(topics) => setChoice({ ...given, topics })}
      />
      <Ticks
        name="channels"
        title={own('channels')}
        entries={CHANNELS.map((id) => ({ id, label: own(`channel.${id}`) }))}
        ticked={given.channels}
        onChange={(ticked) => setChoice({ ...given, channels: ticked })}
      />
      <p className="note">
        {own('law')}: <bdi>{preset.legalFramework.name}</bdi>
      </p>
      {problem !== '' && <p role="alert">{own('failed', { reason: problem })}</p>}
      <div className="modal-actions">
        <button type="button" className="button" disabled={isSaving} onClick={() => void save(fullChoice(preset))}>
          {own('acceptAll')}
        </button>
        <button type="button" className="button" disabled={isSaving} onClick={() => void save(leastChoice(preset))}>
          {own('onlyNeeded')}
        </button>
        <button type="button" className="button button--quiet" disabled={isSaving} onClick={() => void save(given)}>
          {own('saveChoices')}
        </button>
      </div>
    </Modal>
  )
}

/** What is ticked when the dialog opens: nothing that was not said yes to before. */
function knownChoice(preset: ConsentPreset, isGranted: boolean, channels: { readonly [name: string]: boolean | undefined }): Choice {
  const least = leastChoice(preset)
  const extra = [
    ...(isGranted ? ['usage_analytics'] : []),
    ...(channels['marketing'] ? ['direct_marketing'] : []),
    ...(channels['locationTracking'] ? ['location_use'] : []),
  ]
  return {
    consents: new Set([...least.consents, ...extra]),
    topics: least.topics,
    channels: new Set(CHANNELS.filter((name) => channels[name] === true)),
  }
}

type TicksProps = {
  name: string
  title?: string
  entries: readonly { id: string; label: string; isFixed?: boolean }[]
  ticked: ReadonlySet<string>
  onChange: (ticked: ReadonlySet<string>) => void
}

function Ticks({ name, title, entries, ticked, onChange }: TicksProps) {
  const { own } = useText()
  const toggle = (id: string) => onChange(new Set(ticked.has(id) ? [...ticked].filter((other) => other !== id) : [...ticked, id]))
  return (
    <fieldset className={`ticks ticks--${name}`}>
      {title !== undefined && <legend>{title}</legend>}
      {entries.map(({ id, label, isFixed = false }) => (
        <label key={id}>
          <input type="checkbox" checked={ticked.has(id)} disabled={isFixed} onChange={() => toggle(id)} />
          <span>
            {label}
            {isFixed && <small> ({own('needed')})</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
