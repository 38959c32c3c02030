import { useId, useState, type CSSProperties, type ReactNode } from 'react'
import { useSetup, useSnapshot } from '../context.ts'
import { usePreferences, type PreferenceChange, type PreferenceChoice, type Preferences, type WeeklyLimit } from './use-preferences.ts'
import { preferenceWord } from './words.ts'

const LIMITS: readonly WeeklyLimit[] = [1, 2, 4, 7]

function useLanguage() {
  const { words } = useSetup()
  const { strings, locale: asked, direction } = useSnapshot()
  const locale = strings?.locale ?? asked ?? 'en'
  return { locale, direction, say: preferenceWord(locale, words) }
}

/** What the person gets: channels, topics by channel, how many messages a week. Each choice is saved when it is made. */
export function PreferenceCentre(): ReactNode {
  const { locale, direction, say } = useLanguage()
  const { preferences, error, isSaving, save } = usePreferences()
  const [isSaved, setSaved] = useState(false)
  const heading = useId()
  const change = (chosen: PreferenceChange) => {
    setSaved(false)
    void save(chosen).then(setSaved)
  }
  const failed = error === undefined ? '' : say(preferences ? 'unsaved' : 'failed')
  return (
    <section className="cf-preferences" dir={direction} lang={locale} aria-labelledby={heading} aria-busy={isSaving} style={BOX}>
      <h2 id={heading} style={HEAD}>
        {say('title')}
      </h2>
      {preferences && <Choices preferences={preferences} onChange={change} />}
      <p role="status" style={NOTE}>
        {failed || (isSaved && !isSaving ? say('saved') : '')}
      </p>
    </section>
  )
}

type ChoicesProps = { preferences: Preferences; onChange: (change: PreferenceChange) => void }

function Choices({ preferences, onChange }: ChoicesProps) {
  const { locale, say } = useLanguage()
  const { channels, topics, maxMessagesAWeek, tracking } = preferences
  const often = useId()
  return (
    <>
      {channels.length > 0 && (
        <Boxes legend={say('ways')} choices={channels} onChoose={(channel, wanted) => onChange({ channels: { [channel]: wanted } })} />
      )}
      {topics.map(({ id, names, descriptions, channels: of }) => (
        <Boxes
          key={id}
          legend={textIn(names, locale) ?? id}
          hint={textIn(descriptions, locale)}
          choices={of}
          onChoose={(channel, wanted) => onChange({ topics: { [id]: { [channel]: wanted } } })}
        />
      ))}
      <label htmlFor={often} style={LINE}>
        {say('often')}
        <select
          id={often}
          value={maxMessagesAWeek ?? ''}
          style={SELECT}
          onChange={({ currentTarget: { value } }) =>
            onChange({ maxMessagesAWeek: LIMITS.find((limit) => String(limit) === value) ?? null })
          }
        >
          <option value="">{say('unlimited')}</option>
          {LIMITS.map((limit) => (
            <option key={limit} value={limit}>
              {new Intl.NumberFormat(locale).format(limit)}
            </option>
          ))}
        </select>
      </label>
      {tracking !== null && (
        <label style={LINE}>
          <input
            type="checkbox"
            checked={tracking}
            style={TICK}
            onChange={({ currentTarget: { checked } }) => onChange({ tracking: checked })}
          />
          {say('tracking')}
        </label>
      )}
    </>
  )
}

type BoxesProps = {
  legend: string
  hint?: string | undefined
  choices: readonly PreferenceChoice[]
  onChoose: (channel: PreferenceChoice['channel'], wanted: boolean) => void
}

function Boxes({ legend, hint, choices, onChoose }: BoxesProps) {
  const { say } = useLanguage()
  return (
    <fieldset style={GROUP}>
      <legend dir="auto">{legend}</legend>
      {hint !== undefined && (
        <p dir="auto" style={NOTE}>
          {hint}
        </p>
      )}
      {choices.map(({ channel, wanted }) => (
        <label key={channel} style={LINE}>
          <input type="checkbox" checked={wanted} style={TICK} onChange={({ currentTarget: { checked } }) => onChoose(channel, checked)} />
          {say(channel)}
        </label>
      ))}
    </fieldset>
  )
}

/** In this language, else in English, else in whatever there is. */
function textIn(texts: Readonly<Record<string, string>>, locale: string): string | undefined {
  const entries = Object.entries(texts)
  const speaks = (wanted: string) => entries.find(([tag]) => tag.toLowerCase().split('-')[0] === wanted)?.[1]
  return speaks(locale.toLowerCase().split('-')[0] ?? 'en') ?? speaks('en') ?? entries[0]?.[1]
}

/** With the colours of the designs, where their styles are loaded. */
const BOX: CSSProperties = {
  display: 'grid',
  gap: 12,
  color: 'var(--cf-text, #1d1b18)',
  fontFamily: 'var(--cf-font, inherit)',
}
const HEAD: CSSProperties = { margin: 0, fontSize: '1.25em' }
const GROUP: CSSProperties = { margin: 0, padding: 16, border: '1px solid var(--cf-line, #8f887b)', borderRadius: 'var(--cf-radius, 18px)' }
const LINE: CSSProperties = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, minBlockSize: 44 }
const TICK: CSSProperties = { inlineSize: 20, blockSize: 20, accentColor: 'var(--cf-accent, #0b6354)' }
const SELECT: CSSProperties = { font: 'inherit', minBlockSize: 44, paddingInline: 8 }
const NOTE: CSSProperties = { margin: 0 }
