import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { useRuleTexts } from '../segments/rules/rule-texts.ts'
import { foundWords } from '../segments/rules/rule-words.ts'
import type { Device, Person } from './api.ts'
import { environmentQuery, type Environment } from '../../ui/environment.tsx'
import { Facts } from './facts.tsx'
import { useTexts } from './texts.ts'
import { personPath } from '../../person-path.ts'

/** Who this is: the identity, first and last seen. */
export function WhoSection({ person }: { person: Person }) {
  const t = useTexts()
  const rules = useRuleTexts()
  const format = useFormat()
  const { userId, deviceId, email, phone, country, lifecycle, createdAt, currentLocation, devices } = person
  const lastSeen = devices
    .map(({ lastSeenAt }) => lastSeenAt)
    .toSorted()
    .at(-1)
  const id = userId ?? deviceId ?? ''
  return (
    <Section title={t('who')}>
      <Facts
        facts={[
          [
            t(userId === null ? 'deviceId' : 'userId'),
            <CopyField key="id" value={id} label={t(userId === null ? 'deviceId' : 'userId')} />,
          ],
          [t('stage'), rules(`stage_${lifecycle}`)],
          [t('email'), email === null ? t('unknown') : <bdi key="email">{email}</bdi>],
          [
            t('phone'),
            phone === null ? (
              t('unknown')
            ) : (
              <bdi key="phone" dir="ltr">
                {phone}
              </bdi>
            ),
          ],
          [t('country'), country === null ? t('unknown') : format.country(country)],
          [
            t('location'),
            currentLocation === null ? (
              t('unknown')
            ) : (
              <span key="location">
                <bdi className="cf-code">{`${currentLocation.latitude}, ${currentLocation.longitude}`}</bdi> ·{' '}
                <Moment at={currentLocation.at} />
              </span>
            ),
          ],
          [t('firstSeen'), <Moment key="first" at={createdAt} exact />],
          [t('lastSeen'), <Moment key="last" at={lastSeen} exact />],
        ]}
      />
    </Section>
  )
}

export function TraitsSection({ person: { customAttributes } }: { person: Person }) {
  const t = useTexts()
  const wording = { t: useRuleTexts(), format: useFormat() }
  const traits = Object.entries(customAttributes).toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <Section title={t('traits')}>
      {traits.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noTraits')}
        </Text>
      ) : (
        <Table verticalSpacing={6} layout="fixed">
          <Table.Thead className="cf-visually-hidden">
            <Table.Tr>
              <Table.Th>{t('trait')}</Table.Th>
              <Table.Th>{t('traitValue')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {traits.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Td w="40%" style={{ overflowWrap: 'anywhere' }}>
                  <bdi className="cf-code">{name}</bdi>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{foundWords(`customAttributes.${name}`, value, wording)}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

export function DevicesSection({ devices, environment }: { devices: Device[]; environment: Environment }) {
  const t = useTexts()
  return (
    <Section title={t('devices')}>
      {devices.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noDevices')}
        </Text>
      )}
      {devices.map((device) => (
        <DeviceLine key={device.deviceId} device={device} environment={environment} />
      ))}
    </Section>
  )
}

const ANALYTICS = { granted: 'analyticsGranted', denied: 'analyticsDenied', unknown: 'analyticsUnknown' } as const

function DeviceLine({ device, environment }: { device: Device; environment: Environment }) {
  const t = useTexts()
  const { workspace } = useSession()
  const { deviceId, platform, consent, pushRegistered, lastSeenAt } = device
  return (
    <Stack gap={4}>
      <Group gap="xs" justify="space-between">
        <Anchor
          component={Link}
          to={`/w/${workspace.id}${personPath({ userId: null, deviceId })}${environmentQuery(environment)}`}
          size="sm"
          className="cf-code"
          style={{ overflowWrap: 'anywhere' }}
        >
          {deviceId}
        </Anchor>
        <Text size="xs" c="dimmed">
          <Moment at={lastSeenAt} />
        </Text>
      </Group>
      <Group gap={6}>
        {platform && <Mark>{platform}</Mark>}
        <Mark>{t(ANALYTICS[consent])}</Mark>
        <Mark>{t(pushRegistered ? 'pushOn' : 'pushOff')}</Mark>
      </Group>
    </Stack>
  )
}

function Mark({ children }: { children: React.ReactNode }) {
  return (
    <Badge variant="default" tt="none" fw={500} radius="sm" size="md" styles={{ label: { overflow: 'visible' } }}>
      {children}
    </Badge>
  )
}
