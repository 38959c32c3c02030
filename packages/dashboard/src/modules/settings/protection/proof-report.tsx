import { PROOF_PARTS, type ProofEnvironment, type ProofModes } from '@contentflow/core/identity-proof/modes.ts'
import type { ProofReport } from '@contentflow/server/wire.ts'
import { Stack, Table, Text, Title } from '@mantine/core'
import { Wide } from '../../../ui/wide.tsx'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { REPORT_PATH } from './paths.ts'
import { useIdentityTexts } from './texts-identity.ts'

/** Rows that are shown; the most frequent of each day come first. */
const SHOWN = 50
/** Milliseconds between readings while the page is looked at. */
const EVERY_MS = 30_000

type ReportProps = { environment: ProofEnvironment; modes: ProofModes | undefined }

/** How many calls were proven, and which were not. */
export function ProofReportView({ environment, modes }: ReportProps) {
  const t = useIdentityTexts()
  const isCounted = modes !== undefined && PROOF_PARTS.some((part) => modes[part] !== 'off')
  const report = useRead<ProofReport>(REPORT_PATH, { environment }, { every: EVERY_MS })
  if (modes && !isCounted && report.data?.rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('notCounted')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Title order={3}>{t('report')}</Title>
      <Loaded read={report} height={120}>
        {(found) => (
          <>
            {PROOF_PARTS.map((part) => (
              <Share key={part} part={part} {...found.last24h[part]} />
            ))}
            <Unproven rows={found.rows} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function Share({ part, calls, proven }: { part: (typeof PROOF_PARTS)[number]; calls: number; proven: number }) {
  const t = useIdentityTexts()
  const format = useFormat()
  return (
    <Text size="sm">
      {calls === 0
        ? t(`none_${part}`)
        : t(`share_${part}`, { percent: percentOf(format.percent, proven, calls), calls: format.number(calls) })}
    </Text>
  )
}

/** "100%" is only shown for all calls: at 99.96% a reader would think that no call would be refused. */
function percentOf(say: (part: number) => string, proven: number, calls: number): string {
  return say(proven === calls ? 1 : Math.min(Math.floor((proven / calls) * 1000) / 1000, 0.999))
}

function Unproven({ rows }: Pick<ProofReport, 'rows'>) {
  const t = useIdentityTexts()
  const format = useFormat()
  const shown = rows.filter(({ outcome }) => outcome !== 'proven').slice(0, SHOWN)
  if (shown.length === 0) return null
  return (
    <Wide label={t('unproven')} withBorder>
      <Table aria-label={t('unproven')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('unproven')}</Table.Th>
            <Table.Th>{t('sdk')}</Table.Th>
            <Table.Th ta="end">{t('calls')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('day')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ day, part, outcome, platform, sdkVersion, calls }) => (
            <Table.Tr key={[day, part, outcome, platform, sdkVersion].join(' ')}>
              <Table.Td>
                <Text size="sm">{t(`outcome_${outcome}`)}</Text>
                <Text size="sm" c="dimmed">
                  {t(part)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Sdk platform={platform} version={sdkVersion} />
              </Table.Td>
              <Table.Td ta="end">{format.number(calls)}</Table.Td>
              <Table.Td visibleFrom="sm">{format.calendarDay(day)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

/** An SDK with its name; old apps and clients without an SDK have none, and beyond the first ones they are counted together. */
function Sdk({ platform, version }: { platform: string; version: string }) {
  const t = useIdentityTexts()
  if (platform === 'unknown') return t('sdkUnnamed')
  if (platform === 'other') return t('sdkOther')
  return <bdi className="cf-code">{version === 'unknown' ? platform : `${platform}/${version}`}</bdi>
}
