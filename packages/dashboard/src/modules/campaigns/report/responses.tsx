import { Anchor, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseReport } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { Wide } from '../../../ui/wide.tsx'
import { useResponsesTexts } from './responses-texts.ts'
import { Share } from './share.tsx'

/** Channels over which links are counted. Whether a text message was opened is heard of nowhere. */
export const COUNTED_CHANNELS = ['email', 'sms', 'whatsapp'] as const
type CountedChannel = (typeof COUNTED_CHANNELS)[number]
type ResponsesProps = { path: string; channel?: CountedChannel; isLive: boolean }

/**
 * Who opened the messages of a channel and followed their links. `path`: the route of a campaign or a journey that says so. Nothing
 * while no message was sent.
 */
export function Responses({ path, channel = 'email', isLive }: ResponsesProps) {
  const t = useResponsesTexts()
  const { data, error, refetch } = useRead<ResponseReport>(path, { channel }, { every: isLive ? 10_000 : 60_000 })
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || data.sent === 0) return null
  const { tracking } = data
  const isEmail = channel === 'email'
  const isOff = (tracking.opens === 'off' || !isEmail) && tracking.clicks === 'off'
  const none = isEmail ? t(isOff ? 'off' : 'nobody') : t(isOff ? 'offText' : 'nobodyText')
  return (
    <Section title={t(`title_${channel}`)} text={t(isEmail ? 'text' : 'textText')} aside={<ToSettings />}>
      {data.tracked === 0 ? <Text>{none}</Text> : <Figures report={data} isEmail={isEmail} />}
    </Section>
  )
}

function ToSettings() {
  const t = useResponsesTexts()
  const { workspace } = useSession()
  return (
    <Anchor component={Link} size="sm" to={`/w/${workspace.id}/settings/channels`}>
      {t('settings')}
    </Anchor>
  )
}

function Figures({ report, isEmail }: { report: ResponseReport; isEmail: boolean }) {
  const t = useResponsesTexts()
  const format = useFormat()
  const { tracked, sent, opened, clicked, variants, links } = report
  return (
    <Stack>
      <Text size="sm">{t(isEmail ? 'tracked' : 'trackedText', { tracked: format.number(tracked), sent: format.number(sent) })}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isEmail && (
          <Figure name={t('opened')} of={opened}>
            {opened.unknown > 0 && `${t('unknown', { n: format.number(opened.unknown) })} ${t('unknownText')}`}
          </Figure>
        )}
        <Figure name={t('clicked')} of={clicked} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t(isEmail ? 'estimate' : 'noOpens')}
      </Text>
      {variants.some(({ variantId }) => variantId !== null) && <Variants variants={variants} isEmail={isEmail} />}
      {links.length > 0 && <Links links={links} />}
    </Stack>
  )
}

type Counted = ResponseReport['clicked']

function Figure({ name, of: { people, rate, machines }, children }: { name: string; of: Counted; children?: string | false }) {
  const t = useResponsesTexts()
  const format = useFormat()
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz="h1">
        {format.number(people)}
        {rate && (
          <Text span size="md" c="dimmed">
            {' · '}
            {format.percent(rate.rate)}
          </Text>
        )}
      </Text>
      {machines > 0 && <Text size="xs">{t('machines', { n: format.number(machines) })}</Text>}
      {children && <Text size="xs">{children}</Text>}
    </Paper>
  )
}

function Variants({ variants, isEmail }: Pick<ResponseReport, 'variants'> & { isEmail: boolean }) {
  const t = useResponsesTexts()
  return (
    <Wide label={t('byVariant')}>
      <Table aria-label={t('byVariant')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('variant')}</Table.Th>
            {isEmail && <Table.Th ta="end">{t('opened')}</Table.Th>}
            <Table.Th ta="end">{t('clicked')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variants.map(({ variantId, opened, clicked }) => (
            <Table.Tr key={variantId ?? ''}>
              <Table.Th scope="row">{variantId === null ? t('noVariant') : <bdi>{variantId}</bdi>}</Table.Th>
              {isEmail && (
                <Table.Td ta="end">
                  <Share done={opened.people} rate={opened.rate} />
                </Table.Td>
              )}
              <Table.Td ta="end">
                <Share done={clicked.people} rate={clicked.rate} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

function Links({ links }: Pick<ResponseReport, 'links'>) {
  const t = useResponsesTexts()
  const format = useFormat()
  return (
    <Wide label={t('links')}>
      <Table aria-label={t('links')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('link')}</Table.Th>
            <Table.Th ta="end">{t('people')}</Table.Th>
            <Table.Th ta="end">{t('times')}</Table.Th>
            <Table.Th ta="end">{t('byMachines')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map(({ node, label, url, people, times, machineTimes }) => (
            <Table.Tr key={node}>
              <Table.Th scope="row" miw={160}>
                {label === null ? t('gone') : <bdi>{label}</bdi>}
                {url !== null && url !== label && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    <bdi dir="ltr">{url}</bdi>
                  </Text>
                )}
              </Table.Th>
              <Table.Td ta="end">{format.number(people)}</Table.Td>
              <Table.Td ta="end">{format.number(times)}</Table.Td>
              <Table.Td ta="end">{format.number(machineTimes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
