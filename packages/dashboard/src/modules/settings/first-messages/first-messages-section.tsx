import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FirstMessages } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Section } from '../../../ui/section.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { LimitForm } from '../limit-form.tsx'
import { OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useFirstMessagesTexts } from './texts-first-messages.ts'

const PATH = '/settings/first-messages'
/** The proposed limit: fewer new people an hour arrive even at a team that grows fast. */
const PROPOSED = 500
const MOST = 1_000_000

/** How many messages an hour may be the first to an address that only an app named. */
export function FirstMessagesSection() {
  const t = useFirstMessagesTexts()
  const format = useFormat()
  const { mayAdmin } = useSession()
  const setting = useRead<FirstMessages>(PATH)
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={setting} height={120}>
        {({ perHour, lastHour, heldNow }) => (
          <Stack gap="sm">
            {mayAdmin ? (
              <PerHourForm key={perHour} stored={perHour} />
            ) : (
              <Text size="sm" fw={600}>
                {perHour === null ? t('none') : t('some', { n: format.number(perHour) })}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              {t('counts', { sent: format.number(lastHour), held: format.number(heldNow) })}
            </Text>
          </Stack>
        )}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function PerHourForm({ stored }: { stored: number | null }) {
  const t = useFirstMessagesTexts()
  const format = useFormat()
  const [isLimited, setLimited] = useState(stored !== null)
  const [wanted, setWanted] = useState<number | undefined>(stored ?? PROPOSED)
  const isAllowed = wanted !== undefined && Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST
  return (
    <LimitForm
      path={PATH}
      bodyOf={(perHour) => ({ perHour })}
      stored={stored}
      entered={isAllowed ? wanted : undefined}
      isLimited={isLimited}
      onLimited={setLimited}
      words={{ limit: t('limit'), limitText: t('limitText'), save: t('save'), saved: t('saved') }}
    >
      <NumberField
        label={t('perHour')}
        value={wanted}
        onChange={setWanted}
        min={1}
        max={MOST}
        isWhole
        error={isAllowed ? undefined : t('wrong', { max: format.number(MOST) })}
        maw={320}
      />
    </LimitForm>
  )
}
