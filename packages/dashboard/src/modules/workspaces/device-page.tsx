import { Alert, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { DeviceSignIn } from '@contentflow/server/wire.ts'
import { ApiError, call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Door } from './door.tsx'
import { useDeviceTexts } from './texts-device.ts'

/** Somebody who is signed in confirms that a program, which shows the same code, is signed in as them; or refuses it. */
export function DevicePage() {
  const t = useDeviceTexts()
  const { data: me, error } = useMe()
  const [params, setParams] = useSearchParams()
  const code = params.get('code') ?? ''
  useDocumentTitle(`${t('title')} · ContentFlow`)
  if (error instanceof ApiError && error.status === 401)
    return <Navigate to={`/login?from=${encodeURIComponent(code === '' ? '/device' : `/device?code=${code}`)}`} replace />
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <div>
            <Title order={1}>{t('title')}</Title>
            {me && (
              <Text c="dimmed" size="sm">
                {t('signedInAs')} <bdi>{me.user.email}</bdi>
              </Text>
            )}
          </div>
          {error && <Failure error={error} />}
          {me &&
            (code === '' ? (
              <EnterCode onCode={(typed) => setParams({ code: typed })} />
            ) : (
              <Waiting key={code} code={code} onOther={() => setParams({})} />
            ))}
        </Stack>
      </Card>
    </Door>
  )
}

function EnterCode({ onCode }: { onCode: (code: string) => void }) {
  const t = useDeviceTexts()
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onCode(typed.trim())
      }}
    >
      <Stack>
        <TextInput
          label={t('code')}
          description={t('codeText')}
          required
          maxLength={40}
          autoComplete="off"
          dir="ltr"
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" disabled={typed.trim() === ''}>
          {t('next')}
        </Button>
      </Stack>
    </form>
  )
}

function Waiting({ code, onOther }: { code: string; onOther: () => void }) {
  const t = useDeviceTexts()
  const path = `/auth/device/${encodeURIComponent(code)}`
  const read = useQuery({
    queryKey: ['device', code],
    queryFn: async ({ signal }) => (await call<DeviceSignIn>(path, { signal })).data,
    // Wrong codes are counted.
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
  })
  const decide = useMutation({
    mutationFn: async (allow: boolean) => (await call<{ allowed: boolean }>(path, { method: 'PUT', body: { allow } })).data,
  })
  if (decide.data) return <Answered isAllowed={decide.data.allowed} />
  if (read.error)
    return (
      <Stack>
        <Failure error={read.error} />
        <Button variant="default" onClick={onOther}>
          {t('otherCode')}
        </Button>
      </Stack>
    )
  return (
    <Loaded read={read} height={240}>
      {(asked) => (
        <Stack>
          <Text size="sm">{t('compare')}</Text>
          <Text className="cf-code" dir="ltr" ta="center" fz={28} fw={700} data-testid="device-code">
            {asked.code}
          </Text>
          <Facts asked={asked} />
          <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('warningTitle')}>
            {t('warning')}
          </Alert>
          {decide.error && <Failure error={decide.error} />}
          <Group justify="space-between">
            <Button variant="default" onClick={() => decide.mutate(false)} loading={decide.isPending && !decide.variables}>
              {t('refuse')}
            </Button>
            <Button onClick={() => decide.mutate(true)} loading={decide.isPending && decide.variables}>
              {t('confirm')}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

/** From where it was asked. What the program says of itself stands apart from its surroundings. */
function Facts({ asked: { host, address, country, askedAt } }: { asked: DeviceSignIn }) {
  const t = useDeviceTexts()
  const format = useFormat()
  return (
    <dl style={{ margin: 0 }}>
      <Fact label={t('host')}>{host === '' ? t('unnamed') : <bdi>{host}</bdi>}</Fact>
      <Fact label={t('address')}>
        <bdi>{address}</bdi>
        {country && ` · ${format.country(country)}`}
      </Fact>
      <Fact label={t('asked')}>{format.ago(askedAt)}</Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Text component="dt" size="sm" c="dimmed" miw={96}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
  )
}

function Answered({ isAllowed }: { isAllowed: boolean }) {
  const t = useDeviceTexts()
  const Picture = isAllowed ? IconCircleCheck : IconCircleX
  return (
    <Alert role="status" color={isAllowed ? 'teal' : 'gray'} icon={<Picture aria-hidden />} title={t(isAllowed ? 'allowed' : 'refused')}>
      {t(isAllowed ? 'allowedText' : 'refusedText')}
    </Alert>
  )
}
