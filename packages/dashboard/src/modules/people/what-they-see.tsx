import { Anchor, Badge, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DeviceContent } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useFirstRows } from '../../ui/first-rows.tsx'
import { Section } from '../../ui/section.tsx'
import { instancePath } from '../content/api.ts'
import { useInstanceName } from '../content/use-instance-name.ts'
import type { Environment } from '../../ui/environment.tsx'
import { useTexts } from './texts.ts'
import classes from './people.module.css'

type Item = DeviceContent['instances'][number]
type Props = { devices: readonly { deviceId: string; lastSeenAt: string }[]; environment: Environment }

const FIRST_ITEMS = 10

/** What an app on one of their devices shows now and what it does not, each with a link to the reason. */
export function WhatTheySee({ devices, environment }: Props) {
  const t = useTexts()
  const format = useFormat()
  const [chosen, setChosen] = useState<string>()
  const deviceId = chosen ?? devices[0]?.deviceId
  if (deviceId === undefined)
    return (
      <Section title={t('sees')}>
        <Text size="sm" c="dimmed">
          {t('seesNoDevice')}
        </Text>
      </Section>
    )
  return (
    <Section title={t('sees')} text={t('seesText')}>
      {devices.length > 1 && (
        <Select
          label={t('device')}
          data={devices.map((device) => ({ value: device.deviceId, label: `${device.deviceId} · ${format.ago(device.lastSeenAt)}` }))}
          value={deviceId}
          onChange={(id) => setChosen(id ?? deviceId)}
          allowDeselect={false}
          maw={420}
        />
      )}
      <Content key={deviceId} deviceId={deviceId} environment={environment} />
    </Section>
  )
}

function Content({ deviceId, environment }: { deviceId: string; environment: Environment }) {
  const t = useTexts()
  const format = useFormat()
  const [isRestShown, setRestShown] = useState(false)
  const { data, error, refetch } = useRead<DeviceContent>(
    `/explain/devices/${encodeURIComponent(deviceId)}`,
    { environment },
    { every: 30_000 },
  )
  const listed = data?.instances.filter(({ isDelivered }) => isDelivered || isRestShown) ?? []
  const { shown, more } = useFirstRows(listed, t('sees'), FIRST_ITEMS)
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  const { bar } = data.device
  const left = data.published - data.delivered
  return (
    <Stack gap="sm">
      {bar && bar !== 'no_device' && <Text size="sm">{t(`bar_${bar}`)}</Text>}
      {data.isTooLong && (
        <Text size="sm" c="var(--mantine-color-red-text)">
          {t('seesTooLong')}
        </Text>
      )}
      {data.delivered === 0 && <Text c="dimmed">{t('seesNothing')}</Text>}
      <ul className={classes.rows}>
        {shown.map((item) => (
          <li key={item.instanceId}>
            <Line item={item} deviceId={deviceId} />
          </li>
        ))}
      </ul>
      {more}
      {left > 0 && (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: 'start' }} onClick={() => setRestShown(!isRestShown)}>
          {isRestShown ? t('hideRest') : t('showRest', { count: left, formatted: format.number(left) })}
        </Button>
      )}
      {data.published > data.instances.length && (
        <Text size="sm" c="dimmed">
          {t('seesPart', { shown: format.number(data.instances.length), total: format.number(data.published) })}
        </Text>
      )}
    </Stack>
  )
}

function Line({ item, deviceId }: { item: Item; deviceId: string }) {
  const t = useTexts()
  const { workspace } = useSession()
  const { instanceId, title, label, blockKey, blockName, screen, segment, variant, isDelivered } = item
  const to = instancePath(workspace.id, blockKey, instanceId)
  const name = useInstanceName()({ title, label, id: instanceId })
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Anchor component={Link} to={to} size="sm" fw={600} c="inherit" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Anchor>
          {!isDelivered && (
            <Badge color="gray" variant="outline" tt="none" radius="sm" fw={500}>
              {t('notShown')}
            </Badge>
          )}
          {variant !== null && (
            <Badge color="violet" variant="light" tt="none" radius="sm" fw={500}>
              {t('variantOf', { variant })}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[blockName, screen, segment ?? t('forEverybody')].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Anchor
        component={Link}
        to={`${to}?as=${encodeURIComponent(deviceId)}&why=1`}
        size="sm"
        style={{ flexShrink: 0 }}
        aria-label={t('whyOf', { name })}
      >
        {t('why')}
      </Anchor>
    </Group>
  )
}
