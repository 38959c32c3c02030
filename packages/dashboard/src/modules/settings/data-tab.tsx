import { Button, Group, Stack, Text } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useState } from 'react'
import { useRead, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import type { Retention } from './api.ts'
import { ForApps, OnlyFor } from './notes.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useTexts } from './texts.ts'

const PATH = '/settings/event-retention'

export function DataTab() {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const retention = useRead<Retention>(PATH)
  return (
    <Section title={t('retention')} text={t('retentionText')}>
      <ForApps text={t('retentionEffect')} />
      <Loaded read={retention} height={96}>
        {({ days }) =>
          mayAdmin ? (
            <RetentionForm key={days} days={days} />
          ) : (
            <Stack gap={4}>
              <Text size="sm" fw={600}>
                {t('days', { count: days })}
              </Text>
              <OnlyFor who="admins" />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function RetentionForm({ days }: { days: number }) {
  const t = useTexts()
  const format = useFormat()
  const [wanted, setWanted] = useState<number | undefined>(days)
  const [isAsking, setAsking] = useState(false)
  const change = useWrite<number, Retention>((value) => ({ method: 'PUT', path: PATH, body: { days: value } }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  const count = wanted ?? Number.NaN
  const isAllowed = Number.isInteger(count) && count >= 1 && count <= LIMITS.eventRetentionDaysMax
  const isChanged = wanted !== days
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isAllowed || !isChanged) return
        // More days delete nothing.
        if (count < days) setAsking(true)
        else change.mutate(count)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !change.isPending} />
      <Stack gap="sm" align="flex-start">
        <NumberField
          label={t('retentionDays')}
          description={t('retentionRange', { max: format.number(LIMITS.eventRetentionDaysMax) })}
          value={wanted}
          onChange={setWanted}
          min={1}
          max={LIMITS.eventRetentionDaysMax}
          isWhole
          error={isAllowed ? undefined : t('retentionWrong', { max: format.number(LIMITS.eventRetentionDaysMax) })}
          maw={320}
        />
        {change.error && <Failure error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!isAllowed || !isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate(count, { onSettled: () => setAsking(false) })}
        title={t('retentionLessTitle', { count })}
        action={t('retentionLess')}
        isDangerous
        isBusy={change.isPending}
      >
        {t('retentionLessText', { count })}
      </Confirm>
    </form>
  )
}
