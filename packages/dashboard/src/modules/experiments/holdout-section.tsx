import type { HoldoutReport } from '@contentflow/server/wire.ts'
import { Stack, Table, Text } from '@mantine/core'
import { useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { Section } from '../../ui/section.tsx'
import { Wide } from '../../ui/wide.tsx'
import { useTexts } from './texts.ts'

/** Where people are held out: both sides since the start, and whether all messages together change anything. */
export function HoldoutSection() {
  const t = useTexts()
  const format = useFormat()
  const { data: report } = useRead<HoldoutReport>('/settings/holdout/report')
  if (!report || report.since === null) return null
  const since = t('holdoutText', { moment: format.moment(report.since) })
  if (report.readAt === null)
    return (
      <Section title={t('holdout')} text={since}>
        {<Text size="sm">{t('holdoutNone')}</Text>}
      </Section>
    )
  return (
    <Section title={t('holdout')} text={since}>
      <Stack gap="sm">
        <Says goal={t('holdoutConversions')} verdict={report.conversions} isShare />
        <Says goal={t('holdoutValue')} verdict={report.value} />
        {report.sampleRatio?.isMismatch && <Text size="sm">{t('saysMismatch')}</Text>}
        <Sides sides={report.sides} />
        <Text size="xs" c="dimmed">
          {t('holdoutRead', { moment: format.moment(report.readAt) })}
        </Text>
      </Stack>
    </Section>
  )
}

type Verdict = HoldoutReport['conversions']

function Says({ goal, verdict, isShare = false }: { goal: string; verdict: Verdict; isShare?: boolean }) {
  const t = useTexts()
  const format = useFormat()
  if (!verdict) return null
  const amount = (value: number) => (isShare ? format.percent(value) : format.number(Math.round(value * 100) / 100))
  const said = () => {
    if (verdict.kind === 'too_few') return t('holdoutFew')
    if (verdict.kind === 'open') return t('holdoutOpen')
    return t(verdict.best === 'others' ? 'holdoutMore' : 'holdoutLess', { low: amount(verdict.low), high: amount(verdict.high) })
  }
  return (
    <Text size="sm">
      <Text span fw={600}>
        {goal}
      </Text>{' '}
      {said()}
    </Text>
  )
}

function Sides({ sides }: Pick<HoldoutReport, 'sides'>) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Wide label={t('holdout')}>
      <Table aria-label={t('holdout')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('side')}</Table.Th>
            <Table.Th ta="end">{t('people')}</Table.Th>
            <Table.Th ta="end">{t('converted')}</Table.Th>
            <Table.Th ta="end">{t('share')}</Table.Th>
            <Table.Th ta="end">{t('value')}</Table.Th>
            <Table.Th ta="end">{t('perPerson')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sides.map(({ side, people, converted, conversionRate, value, valuePerPerson }) => (
            <Table.Tr key={side}>
              <Table.Th scope="row">{t(`side_${side}`)}</Table.Th>
              <Table.Td ta="end">{format.number(people)}</Table.Td>
              <Table.Td ta="end">{format.number(converted)}</Table.Td>
              <Table.Td ta="end">{conversionRate === null ? '' : format.percent(conversionRate)}</Table.Td>
              <Table.Td ta="end">{format.number(Math.round(value * 100) / 100)}</Table.Td>
              <Table.Td ta="end">{valuePerPerson === null ? '' : format.number(Math.round(valuePerPerson * 100) / 100)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
