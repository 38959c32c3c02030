import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { pathOf, type Profile } from './api.ts'
import type { Environment } from '../../ui/environment.tsx'
import { useTexts } from './texts.ts'

type ControlProps = { profile: Profile; environment: Environment }

/** What a member may record for a person: the opt-out of everything, and suppression. Both ask for confirmation. */
export function ConsentControls({ profile, environment }: ControlProps) {
  const t = useTexts()
  const { mayEdit } = useSession()
  const { userId, personalOptOut, suppressed } = profile
  if (!mayEdit) return null
  if (userId === null || environment === 'test')
    return (
      <Text size="sm" c="dimmed">
        {t('liveOnly')}
      </Text>
    )
  return (
    <Section title={t('contact')}>
      <OptOut userId={userId} isOut={personalOptOut} />
      <Suppression userId={userId} isSuppressed={suppressed} />
    </Section>
  )
}

function OptOut({ userId, isOut }: { userId: string; isOut: boolean }) {
  const t = useTexts()
  const [isAsking, setAsking] = useState(false)
  const change = useWrite<boolean>((optedOut) => ({ path: `${pathOf({ id: userId })}/opt-out`, method: 'PUT', body: { optedOut } }), {
    stale: ['/users', '/devices'],
    done: (_, optedOut) => t(optedOut ? 'optedOutDone' : 'optedInDone'),
    showsError: true,
  })
  const words = isOut ? 'optOutOff' : 'optOutOn'
  return (
    <>
      <Switch
        label={t('optOut')}
        description={t('optOutHelp')}
        checked={isOut}
        onChange={() => setAsking(true)}
        disabled={change.isPending}
      />
      <Confirm
        isOpen={isAsking}
        onClose={() => (change.reset(), setAsking(false))}
        onConfirm={() => change.mutate(!isOut, { onSuccess: () => setAsking(false) })}
        title={t(`${words}Title`)}
        action={t(`${words}Action`)}
        isBusy={change.isPending}
      >
        {t(`${words}Text`)}
        {change.error && <Failure error={change.error} />}
      </Confirm>
    </>
  )
}

function Suppression({ userId, isSuppressed }: { userId: string; isSuppressed: boolean }) {
  const t = useTexts()
  const [isAsking, setAsking] = useState(false)
  const words = isSuppressed ? 'unsuppress' : 'suppress'
  const change = useWrite<'suppress' | 'unsuppress'>(
    (step) => ({ path: `/users/bulk/${step}`, method: 'POST', body: { userIds: [userId] } }),
    {
      stale: ['/users', '/devices', '/segments'],
      done: (_, step) => t(`${step}Done`),
      showsError: true,
    },
  )
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={2} flex={1} miw={200}>
        <Text size="sm">
          {t('suppressed')}: {t(isSuppressed ? 'yes' : 'no')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('suppressHelp')}
        </Text>
      </Stack>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t(words)}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => (change.reset(), setAsking(false))}
        onConfirm={() => change.mutate(words, { onSuccess: () => setAsking(false) })}
        title={t(`${words}Title`)}
        action={t(words)}
        isBusy={change.isPending}
      >
        {t(`${words}Text`)}
        {change.error && <Failure error={change.error} />}
      </Confirm>
    </Group>
  )
}
