import { Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { InboxStay } from '@contentflow/core/messages/content.ts'
import { inboxDaysOf } from '@contentflow/core/messages/inbox.ts'
import { defineTexts } from '../../i18n.ts'
import { NumberField } from './number-field.tsx'

const useTexts = defineTexts('inbox-switch', {
  en: {
    alsoInbox: 'Also in the inbox',
    alsoInboxHelp: 'The message stays in the app’s message centre after it was closed, and when the campaign or journey is over.',
    days: 'Days in the inbox',
  },
  ar: {
    alsoInbox: 'في صندوق الرسائل أيضًا',
    alsoInboxHelp: 'تبقى الرسالة في صندوق رسائل التطبيق بعد إغلاقها وبعد انتهاء الحملة أو الرحلة.',
    days: 'عدد الأيام في الصندوق',
  },
})

type Content = { [locale: string]: { inbox?: InboxStay } }

/** The same stay in every language, or in none. `first`: the language that begins where nothing is written yet. */
export function withInbox<T extends Content>(content: T, days: number | undefined, first: string): T {
  const codes = Object.keys(content)
  const all = (codes.length === 0 && days !== undefined ? [first] : codes).map((code) => {
    const { inbox: _, ...others } = content[code] ?? {}
    return [code, days === undefined ? others : { ...others, inbox: { days } }]
  })
  return Object.fromEntries(all) as T
}

type InboxSwitchProps = { content: Content; onChange: (days: number | undefined) => void }

/** Whether a message inside apps also goes into the inbox, and for how many days. */
export function InboxSwitch({ content, onChange }: InboxSwitchProps) {
  const t = useTexts()
  const days = inboxDaysOf(content)
  const [typed, setTyped] = useState<number | undefined>(days)
  const { min, max } = LIMITS.inboxDays
  const isRight = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= min && value <= max
  return (
    <Stack gap="xs">
      <Switch
        label={t('alsoInbox')}
        description={t('alsoInboxHelp')}
        checked={days !== undefined}
        onChange={({ currentTarget }) => {
          setTyped(LIMITS.inboxDays.default)
          onChange(currentTarget.checked ? LIMITS.inboxDays.default : undefined)
        }}
      />
      {days !== undefined && (
        <NumberField
          label={t('days')}
          value={isRight(typed) ? days : typed}
          onChange={(value) => {
            setTyped(value)
            // The field says that a value is no number of days; the draft keeps the last one that was.
            if (isRight(value)) onChange(value)
          }}
          min={min}
          max={max}
          isWhole
          isNeeded
          maw={160}
        />
      )}
    </Stack>
  )
}
