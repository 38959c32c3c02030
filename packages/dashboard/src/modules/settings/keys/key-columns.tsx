import { ActionIcon, Group, Menu, Stack, Text } from '@mantine/core'
import { IconCode, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Moment } from '../../../ui/moments/moment.tsx'
import { EnvironmentBadge } from '../../../ui/state-badge.tsx'
import type { Column } from '../../../ui/listing.tsx'
import type { Key } from '../api.ts'
import type { KeyAction } from './key-dialogs.tsx'
import type { useKeysTexts } from './texts-keys.ts'

type Options = {
  /** The list has keys of several kinds and environments. */
  hasKinds: boolean
  mayEdit: boolean
  onAction: (action: KeyAction) => void
}

export function keyColumns(t: ReturnType<typeof useKeysTexts>, { hasKinds, mayEdit, onAction }: Options): Column<Key>[] {
  const name: Column<Key> = {
    id: 'name',
    title: t('key'),
    cell: (key) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm" fw={600} c={key.name === '' ? 'dimmed' : undefined} style={{ overflowWrap: 'anywhere' }}>
            {key.name || t('unnamed')}
          </Text>
          {hasKinds && <EnvironmentBadge environment={key.environment} />}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <span className="cf-code">{key.masked}</span>
        </Text>
        {hasKinds && (
          <Text size="sm" c="dimmed">
            {t(`kind_${key.kind}`)}
          </Text>
        )}
        {key.allowedOrigins && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('onlyFrom', { origins: key.allowedOrigins.map((origin) => `\u2068${origin}\u2069`).join(' ') })}
          </Text>
        )}
        {key.allowedCidrs && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('onlyNetworks', { networks: key.allowedCidrs.map((network) => `\u2068${network}\u2069`).join(' ') })}
          </Text>
        )}
        {key.previousUntil && Date.parse(key.previousUntil) > Date.now() && (
          <Text size="sm" c="dimmed">
            {t('previousUntil')} <Moment at={key.previousUntil} />
          </Text>
        )}
        {key.expiresAt && (
          <Text size="sm" c={Date.parse(key.expiresAt) <= Date.now() ? 'red' : 'dimmed'}>
            {t(Date.parse(key.expiresAt) <= Date.now() ? 'ended' : 'ends')} <Moment at={key.expiresAt} />
          </Text>
        )}
      </Stack>
    ),
  }
  const used: Column<Key> = {
    id: 'used',
    title: t('lastUsed'),
    isExtra: true,
    cell: ({ lastUsedAt, lastUsedFrom }) => (
      <Stack gap={2}>
        <Moment at={lastUsedAt} />
        {lastUsedFrom && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('usedFrom', { address: `\u2068${lastUsedFrom}\u2069` })}
          </Text>
        )}
      </Stack>
    ),
  }
  const created: Column<Key> = {
    id: 'created',
    title: t('created'),
    isExtra: true,
    cell: ({ createdAt, rotatedAt }) => (
      <Stack gap={2}>
        <Moment at={createdAt} />
        {rotatedAt && (
          <Text size="sm" c="dimmed">
            {t('rotated')} <Moment at={rotatedAt} />
          </Text>
        )}
      </Stack>
    ),
  }
  const actions: Column<Key> = {
    id: 'actions',
    title: <span className="cf-visually-hidden">{t('actions')}</span>,
    align: 'end',
    width: 56,
    cell: (key) => (
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('actionsOf', { name: key.name || key.masked })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCode size={16} aria-hidden />} onClick={() => onAction({ kind: 'code', key })}>
            {t('showCode')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onAction({ kind: 'rotate', key })}>
            {t('rotate')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAction({ kind: 'revoke', key })}>
            {t('revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    ),
  }
  return mayEdit ? [name, used, created, actions] : [name, used, created]
}
