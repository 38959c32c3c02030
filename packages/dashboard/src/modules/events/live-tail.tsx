import { Button, Group, Paper, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconActivity, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Environment } from '../../ui/environment.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Wide } from '../../ui/wide.tsx'
import { useNewest, type StoredEvent } from './api.ts'
import { useTexts } from './texts.ts'

/** How long somebody types before the server is asked. */
const TYPING_MS = 300

/** Events as they arrive. `type`: only of this one, which is not asked for then. */
export function LiveTail({ environment, type }: { environment: Environment; type?: string }) {
  const t = useTexts()
  const [filter, setFilter] = useUrlState('type')
  const [asked] = useDebouncedValue(type ?? filter.trim(), TYPING_MS)
  const [isPaused, setPaused] = useState(false)
  const newest = useNewest(environment, asked === '' ? undefined : asked, isPaused)
  return (
    <Stack gap="sm">
      <Group gap="xs" align="end">
        {type === undefined && (
          <TextInput
            label={t('filterType')}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            placeholder="order_completed"
            dir="ltr"
            maxLength={200}
            w={{ base: '100%', xs: 280 }}
          />
        )}
        <Button
          variant="default"
          leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
          onClick={() => setPaused(!isPaused)}
        >
          {t(isPaused ? 'resume' : 'pause')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('liveText')}
      </Text>
      <Loaded read={newest} height={240}>
        {({ events }) =>
          events.length === 0 ? (
            <Paper withBorder p="md">
              <EmptyState icon={IconActivity} title={t('noLiveTitle')} text={t('noLiveText')} />
            </Paper>
          ) : (
            <Rows events={events} isMixed={type === undefined} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function Rows({ events, isMixed }: { events: StoredEvent[]; isMixed: boolean }) {
  const t = useTexts()
  return (
    <Wide label={t('live')} withBorder>
      <Table aria-label={t('live')}>
        <Table.Thead>
          <Table.Tr>
            {isMixed && <Table.Th miw={130}>{t('type')}</Table.Th>}
            <Table.Th visibleFrom="sm">{t('device')}</Table.Th>
            <Table.Th>{t('details')}</Table.Th>
            <Table.Th>{t('when')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id}>
              {isMixed && (
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <bdi className="cf-code">{event.type}</bdi>
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
                <bdi className="cf-code">{event.deviceId}</bdi>
              </Table.Td>
              <Table.Td>
                <Text size="xs" c="dimmed" lineClamp={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
                  <bdi className="cf-code">{detailsOf(event)}</bdi>
                </Text>
              </Table.Td>
              <Table.Td>
                <Moment at={event.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

function detailsOf({ blockKey, screen, value, currency, properties }: StoredEvent): string {
  const place = [blockKey, screen].filter((each) => each !== null)
  const amount = value === null ? [] : [`${value} ${currency ?? ''}`.trim()]
  return [...place, ...amount, ...(properties ? [JSON.stringify(properties)] : [])].join(' · ')
}
