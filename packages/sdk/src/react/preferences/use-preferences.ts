import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../context.ts'

export type PreferenceChannel = 'email' | 'sms' | 'whatsapp' | 'push'
export type PreferenceChoice = { channel: PreferenceChannel; wanted: boolean }
export type WeeklyLimit = 1 | 2 | 4 | 7
/** What the person chose, and what there is to choose. `names` and `descriptions`: by language. */
export type Preferences = {
  /** Those that the person has a contact for. */
  channels: readonly PreferenceChoice[]
  topics: readonly {
    id: string
    names: Readonly<Record<string, string>>
    descriptions: Readonly<Record<string, string>>
    channels: readonly PreferenceChoice[]
  }[]
  /** null: as many as there are. */
  maxMessagesAWeek: WeeklyLimit | null
  /** Whether openings and clicks of mails may be counted; null: nobody's are. */
  tracking: boolean | null
}
/** What is left out stays as it was. */
export type PreferenceChange = {
  channels?: Partial<Record<PreferenceChannel, boolean>>
  topics?: Record<string, Partial<Record<PreferenceChannel, boolean>>>
  maxMessagesAWeek?: WeeklyLimit | null
  tracking?: boolean
}

export type PreferencesState = {
  /** Undefined: not read yet, or nobody is identified. */
  preferences: Preferences | undefined
  /** Why they were not read, or not saved. */
  error: unknown
  isSaving: boolean
  /** True: it is saved. */
  save(change: PreferenceChange): Promise<boolean>
}

/** The preferences of the person on this installation: read again for every other person, and saved one change after another. */
export function usePreferences(): PreferencesState {
  const client = useClient()
  const { userId, consent } = useSnapshot()
  const [preferences, setPreferences] = useState<Preferences>()
  const [error, setError] = useState<unknown>()
  const [saving, setSaving] = useState(0)
  /** What the server said last. */
  const stored = useRef<Preferences>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const person = useRef(0)
  const isKnown = consent === 'granted'
  useEffect(() => {
    const asked = ++person.current
    setPreferences(undefined)
    setError(undefined)
    if (!isKnown) return
    client.request({ method: 'GET', path: '/preferences' }).then(
      ({ data }) => {
        if (asked !== person.current) return
        stored.current = data as Preferences
        setPreferences(stored.current)
      },
      (failure: unknown) => {
        if (asked === person.current) setError(failure)
      },
    )
  }, [client, userId, isKnown])
  const save = useCallback(
    (change: PreferenceChange) => {
      const asked = person.current
      setSaving((count) => count + 1)
      setPreferences((shown) => shown && withChange(shown, change))
      const sent = last.current
        .then(() => client.request({ method: 'PUT', path: '/preferences', body: change }))
        .then(
          ({ data }) => {
            if (asked === person.current) {
              stored.current = data as Preferences
              setPreferences(stored.current)
              setError(undefined)
            }
            return true
          },
          (failure: unknown) => {
            if (asked === person.current) {
              setError(failure)
              setPreferences(stored.current)
            }
            return false
          },
        )
        .finally(() => setSaving((count) => count - 1))
      last.current = sent
      return sent
    },
    [client],
  )
  return { preferences, error, isSaving: saving > 0, save }
}

/** As it will be when it is saved. */
function withChange(shown: Preferences, { channels = {}, topics = {}, maxMessagesAWeek, tracking }: PreferenceChange): Preferences {
  const chosen = (list: readonly PreferenceChoice[], flags: Partial<Record<PreferenceChannel, boolean>>) =>
    list.map(({ channel, wanted }) => ({ channel, wanted: flags[channel] ?? wanted }))
  return {
    channels: chosen(shown.channels, channels),
    topics: shown.topics.map((topic) => ({ ...topic, channels: chosen(topic.channels, topics[topic.id] ?? {}) })),
    maxMessagesAWeek: maxMessagesAWeek === undefined ? shown.maxMessagesAWeek : maxMessagesAWeek,
    tracking: tracking ?? shown.tracking,
  }
}
