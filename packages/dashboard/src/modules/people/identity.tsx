import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { useFirstRows } from '../../ui/first-rows.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { useRuleTexts } from '../segments/rules/rule-texts.ts'
import { foundWords } from '../segments/rules/rule-words.ts'
import type { Device, Person } from './api.ts'
import { environmentQuery, type Environment } from '../../ui/environment.tsx'
import { Facts } from './facts.tsx'
import { useTexts } from './texts.ts'
import { personPath } from '../../person-path.ts'

/** The identity of the person, first and last seen. */
export function WhoSection({ person }: { person: Person }) {
  const t = useTexts()
  const rules = useRuleTexts()
  const format = useFormat()
  const { name, userId, deviceId, email, phone, lifecycle, language, createdAt, currentLocation, devices } = person
  const lastSeen = devices
    .map(({ lastSeenAt }) => lastSeenAt)
    .toSorted()
    .at(-1)
  const id = userId ?? deviceId ?? ''
  return (
    <Section title={t('who')}>
      <Facts
        facts={[
          [t('name'), name === null ? t('unknown') : <bdi key="name">{name}</bdi>],
          [
            t(userId === null ? 'deviceId' : 'userId'),
            <CopyField key="id" value={id} label={t(userId === null ? 'deviceId' : 'userId')} />,
          ],
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
          [t('language'), language ? format.language(language) : t('unknown')],
          [t('place'), placeOf(person, format) || t('unknown')],
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
          [t('stage'), rules(`stage_${lifecycle}`)],
          [t('firstSeen'), <Moment key="first" at={createdAt} exact />],
          [t('lastSeen'), <Moment key="last" at={lastSeen} exact />],
        ]}
      />
    </Section>
  )
}

/** The town, the region and the country, as far as they are known. */
function placeOf({ country, place }: Person, format: Format): ReactNode {
  const known = country ?? place.country
  const names = [place.city, place.region, known && format.country(known)].flatMap((name) => name || [])
  return names.length > 0 && <bdi>{format.list(names)}</bdi>
}

/** How many traits are shown at first: more would push the rest of the page out of view. */
const FIRST_TRAITS = 12
const FIRST_DEVICES = 5

export function TraitsSection({ person: { customAttributes } }: { person: Person }) {
  const t = useTexts()
  const wording = { t: useRuleTexts(), format: useFormat() }
  const traits = Object.entries(customAttributes).toSorted(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))
  const { shown, more } = useFirstRows(traits, t('traits'), FIRST_TRAITS)
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
            {shown.map(([name, value]) => (
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
      {more}
    </Section>
  )
}

export function DevicesSection({ devices, environment }: { devices: Device[]; environment: Environment }) {
  const t = useTexts()
  const { shown, more } = useFirstRows(devices, t('devices'), FIRST_DEVICES)
  return (
    <Section title={t('devices')}>
      {devices.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noDevices')}
        </Text>
      )}
      {shown.map((device) => (
        <DeviceLine key={device.deviceId} device={device} environment={environment} />
      ))}
      {more}
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

function Mark({ children }: { children: ReactNode }) {
  return (
    <Badge variant="default" tt="none" fw={500} radius="sm" size="md" styles={{ label: { overflow: 'visible' } }}>
      {children}
    </Badge>
  )
}
