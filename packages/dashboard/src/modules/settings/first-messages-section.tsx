import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { FirstMessages } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { OnlyFor } from './notes.tsx'
import { SettingValue } from './setting-value.tsx'
import { useFirstMessagesTexts } from './texts-first-messages.ts'

const PATH = '/settings/first-messages'
/** What is proposed: a team that grows fast has fewer new people an hour. */
const PROPOSED = 500
const MOST = 1_000_000

/** How many messages an hour may be the first to an address that nobody but an app named. */
export function FirstMessagesSection() {
  const t = useFirstMessagesTexts()
  const format = useFormat()
  const { mayAdmin } = useSession()
  const setting = useRead<FirstMessages>(PATH)
  return (
    <Section title={t('title')} text={t('text')}>
      <SettingValue read={setting} height={120}>
        {({ perHour, lastHour, heldNow }) => (
          <Stack gap="sm">
            {mayAdmin ? (
              <LimitForm key={perHour} perHour={perHour} />
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
      </SettingValue>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function LimitForm({ perHour }: { perHour: number | null }) {
  const t = useFirstMessagesTexts()
  const format = useFormat()
  const [isLimited, setLimited] = useState(perHour !== null)
  const [wanted, setWanted] = useState<number | undefined>(perHour ?? PROPOSED)
  const change = useWrite<number | null, FirstMessages>((value) => ({ method: 'PUT', path: PATH, body: { perHour: value } }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  const count = wanted ?? Number.NaN
  const isAllowed = !isLimited || (Number.isInteger(count) && count >= 1 && count <= MOST)
  const next = isLimited ? count : null
  const isChanged = next !== perHour
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isAllowed && isChanged) change.mutate(next)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !change.isPending} />
      <Stack gap="sm" align="flex-start">
        <Switch
          label={t('limit')}
          description={t('limitText')}
          checked={isLimited}
          onChange={({ currentTarget }) => setLimited(currentTarget.checked)}
        />
        {isLimited && (
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
        )}
        <Group>
          <Button type="submit" disabled={!isAllowed || !isChanged} loading={change.isPending}>
            {t('save')}
          </Button>
        </Group>
        {change.error && <Failure error={change.error} />}
      </Stack>
    </form>
  )
}
