import { Table } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Wide } from '../../../ui/wide.tsx'
import type { RetentionResult } from '../api.ts'
import { useTexts } from '../texts.ts'
import classes from './results.module.css'

/** The deepest tint of a cell, percent: words on it stay readable, also at night. */
const DEEPEST = 30

/** A row for each cohort; the more people came back, the deeper a cell is tinted. */
export function RetentionView({ result: { cohorts } }: { result: RetentionResult }) {
  const t = useTexts()
  const format = useFormat()
  if (cohorts.every(({ people }) => people === 0)) return <EmptyState icon={IconRepeat} title={t('noneTitle')} text={t('noneText')} />
  return (
    <Wide label={t('view_retention')} withBorder>
      <Table aria-label={t('view_retention')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('cohort')}</Table.Th>
            <Table.Th ta="end">{t('people')}</Table.Th>
            {cohorts.map((_, index) => (
              <Table.Th key={index} ta="center">
                {t('periodColumn', { number: index })}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cohorts.map(({ from, people, returned }) => (
            <Table.Tr key={from}>
              <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                {format.calendarDate(from.slice(0, 10))}
              </Table.Th>
              <Table.Td ta="end">{format.number(people)}</Table.Td>
              {cohorts.map((_, index) => {
                const back = returned[index]
                const share = people === 0 || back === undefined ? undefined : back / people
                return (
                  <Table.Td key={index} ta="center" className={classes.cell} style={{ '--depth': `${(share ?? 0) * DEEPEST}%` }}>
                    {share === undefined ? '' : format.percent(share)}
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
