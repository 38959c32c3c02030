import { MOST_HELD_OUT } from '@contentflow/core/experiments/holdout.ts'
import type { Holdout } from '@contentflow/server/wire.ts'
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MomentField } from '../../../ui/moments/moment-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { LimitForm } from '../limit-form.tsx'
import { OnlyFor } from '../notes.tsx'
import { useHoldoutTexts } from './texts-holdout.ts'

const PATH = '/settings/holdout'
/** Large enough to be compared, small enough not to be missed. */
const PROPOSED = 5

/** Which share of the people gets no messages, to see what all of them change. */
export function HoldoutSection() {
  const t = useHoldoutTexts()
  const format = useFormat()
  const { mayAdmin } = useSession()
  const setting = useRead<Holdout>(PATH)
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={setting} height={120}>
        {(stored) => (
          <Stack gap="sm">
            {mayAdmin ? (
              <HoldoutForm key={JSON.stringify(stored)} stored={stored} />
            ) : (
              <Text size="sm" fw={600}>
                {stored.percent === 0 ? t('none') : t('some', { percent: format.percent(stored.percent / 100) })}
              </Text>
            )}
            {stored.since !== null && (
              <Text size="sm" c="dimmed">
                {t('since', { moment: format.moment(stored.since) })}
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

type Choice = { percent: number; startsAt: string; endsAt: string | null }

function HoldoutForm({ stored: { percent: storedPercent, startsAt: storedStart, endsAt: storedEnd } }: { stored: Holdout }) {
  const t = useHoldoutTexts()
  const format = useFormat()
  const stored = storedPercent > 0 && storedStart !== null ? { percent: storedPercent, startsAt: storedStart, endsAt: storedEnd } : null
  const [isOn, setOn] = useState(stored !== null)
  const [percent, setPercent] = useState<number | undefined>(stored?.percent ?? PROPOSED)
  const [startsAt, setStartsAt] = useState<string | undefined>(() => stored?.startsAt ?? new Date().toISOString())
  const [endsAt, setEndsAt] = useState<string | undefined>(stored?.endsAt ?? undefined)
  const isShare = percent !== undefined && Number.isInteger(percent) && percent >= 1 && percent <= MOST_HELD_OUT
  const isInOrder = startsAt === undefined || endsAt === undefined || endsAt > startsAt
  const isReady = isShare && startsAt !== undefined && isInOrder
  return (
    <LimitForm<Choice>
      path={PATH}
      bodyOf={(choice) => choice ?? { percent: 0 }}
      stored={stored}
      entered={isReady ? { percent, startsAt, endsAt: endsAt ?? null } : undefined}
      isLimited={isOn}
      onLimited={setOn}
      words={{ limit: t('limit'), limitText: t('limitText'), save: t('save'), saved: t('saved') }}
    >
      <NumberField
        label={t('percent')}
        value={percent}
        onChange={setPercent}
        min={1}
        max={MOST_HELD_OUT}
        suffix="%"
        isWhole
        error={isShare ? undefined : t('percentWrong', { most: format.number(MOST_HELD_OUT) })}
        maw={320}
      />
      <Group align="flex-start">
        <MomentField
          label={t('startsAt')}
          value={startsAt}
          onChange={setStartsAt}
          error={startsAt === undefined ? t('startNeeded') : undefined}
          isRequired
        />
        <MomentField
          label={t('endsAt')}
          placeholder={t('noEnd')}
          value={endsAt}
          onChange={setEndsAt}
          error={isInOrder ? undefined : t('endWrong')}
        />
      </Group>
    </LimitForm>
  )
}
