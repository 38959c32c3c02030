import { Alert, Anchor, Grid, Stack, Text } from '@mantine/core'
import { IconClockPause } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { useDevice, usePerson, type DevicePageData } from './api.ts'
import { ReachSection } from './consent-now.tsx'
import { environmentQuery, useEnvironment, type Environment } from '../../ui/environment.tsx'
import { EventsOf } from './events-of-person.tsx'
import { Facts } from './facts.tsx'
import { LoadingPerson, NobodyHere, PersonFrame, PersonView } from './person-view.tsx'
import { useTexts } from './texts.ts'
import { idOfSegment, personPath } from '../../person-path.ts'

/** A device, and its anonymous person when no user is signed in on it. */
export function DevicePage() {
  const t = useTexts()
  const deviceId = idOfSegment(useParams()['deviceId'] ?? '')
  const [environment] = useEnvironment()
  const device = useDevice(deviceId, environment)
  // A device on which a user signed in stands for no anonymous person, so the server is not asked for one.
  const isOfUser = device.data?.deviceId === deviceId && device.data.person !== null && device.data.person.userId !== null
  const isKnown = !device.isPlaceholderData && (device.data !== undefined || isMissing(device.error))
  const anonymous = usePerson({ id: deviceId, environment }, isKnown && !isOfUser)
  const failed = [device, anonymous].find(({ error }) => error && !isMissing(error))
  if (failed?.error)
    return (
      <PersonFrame title={deviceId} environment={environment}>
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      </PersonFrame>
    )
  if (isWaiting(device) || (!isOfUser && isWaiting(anonymous))) return <LoadingPerson title={deviceId} environment={environment} />
  const facts = isMissing(device.error) ? undefined : device.data
  // An id that is a user's, too, is shown on the page of that user.
  const person = isOfUser || isMissing(anonymous.error) || anonymous.data?.userId !== null ? undefined : anonymous.data
  if (person)
    return (
      <PersonView
        person={person}
        subject={{ id: deviceId, environment }}
        device={facts && <DeviceSection device={facts} environment={environment} />}
      />
    )
  if (!facts) return <NobodyHere title={t('deviceNotFoundTitle')} environment={environment} />
  return <DeviceAlone device={facts} environment={environment} />
}

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

function isWaiting({ data, error, isPlaceholderData }: { data: unknown; error: Error | null; isPlaceholderData: boolean }): boolean {
  return !error && (data === undefined || isPlaceholderData)
}

/** Signed in by a user, or without a person. */
function DeviceAlone({ device, environment }: { device: DevicePageData; environment: Environment }) {
  const t = useTexts()
  const { channels, personalOptOut, suppressed, pushRegistered } = device
  return (
    <PersonFrame title={t('device')} environment={environment}>
      <Stack>
        <DeviceSection device={device} environment={environment} isWide />
        {device.person === null && (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 5 }}>
              <ReachSection reachable={{ channels, personalOptOut, suppressed, email: null, phone: null, hasPush: pushRegistered }} />
            </Grid.Col>
          </Grid>
        )}
        <EventsOf path={`/devices/${encodeURIComponent(device.deviceId)}`} environment={environment} />
      </Stack>
    </PersonFrame>
  )
}

const ANALYTICS = { granted: 'analyticsGranted', denied: 'analyticsDenied', unknown: 'analyticsUnknown' } as const

function DeviceSection({ device, environment, isWide }: { device: DevicePageData; environment: Environment; isWide?: boolean }) {
  const t = useTexts()
  const format = useFormat()
  const { deviceId, platform, locale, sdkVersion, consent, pushRegistered, segments, firstSeenAt, lastSeenAt, isLapsed } = device
  const unknown = t('unknown')
  return (
    <Section title={t('device')}>
      {isLapsed && (
        <Alert color="gray" icon={<IconClockPause aria-hidden />}>
          {t('deviceLapsed')}
        </Alert>
      )}
      <Facts
        isWide={isWide}
        facts={[
          [t('deviceId'), <CopyField key="id" value={deviceId} label={t('deviceId')} />],
          [t('signedInAs'), <SignedIn key="who" device={device} environment={environment} />],
          [t('about_analytics'), t(ANALYTICS[consent])],
          [t('platform'), platform ?? unknown],
          [t('language'), locale === null ? unknown : format.language(locale)],
          [t('version'), sdkVersion === null ? unknown : <bdi key="version">{sdkVersion}</bdi>],
          [t('push'), t(pushRegistered ? 'pushOn' : 'pushOff')],
          [t('contentSegments'), segments.length === 0 ? t('contentEveryone') : format.list(segments)],
          [t('firstSeen'), <Moment key="first" at={firstSeenAt} exact />],
          [t('lastSeen'), <Moment key="last" at={lastSeenAt} exact />],
        ]}
      />
    </Section>
  )
}

function SignedIn({ device: { person }, environment }: { device: DevicePageData; environment: Environment }) {
  const t = useTexts()
  const { workspace } = useSession()
  if (person === null) return <Text size="sm">{t('deviceOfNobody')}</Text>
  if (person.userId === null) return <Text size="sm">{t('anonymous')}</Text>
  return (
    <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId: person.userId })}${environmentQuery(environment)}`} size="sm">
      {person.userId}
    </Anchor>
  )
}
