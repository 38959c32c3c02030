import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { Environment } from '../../../ui/environment.tsx'
import { Wide } from '../../../ui/wide.tsx'
import type { Funnel, FunnelResult, PeopleOfStep } from '../api.ts'
import { useFieldName } from '../fields/choices.tsx'
import { useTexts } from '../texts.ts'
import { useGroupName } from './group-name.ts'
import { PeopleDialog } from './people-dialog.tsx'
import classes from './results.module.css'

type FunnelViewProps = { result: FunnelResult; definition: Funnel; environment: Environment }

/** A row for each step, with a bar as long as its share; the table is the chart. */
export function FunnelView({ result, definition, environment }: FunnelViewProps) {
  const t = useTexts()
  const format = useFormat()
  const lengthOf = useLength()
  const [chosen, setChosen] = useState<PeopleOfStep>()
  if ((result.steps[0]?.people ?? 0) === 0) return <EmptyState icon={IconFilter} title={t('noneTitle')} text={t('noneText')} />
  return (
    <Stack>
      <Wide label={t('view_funnel')} withBorder>
        <Table aria-label={t('view_funnel')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('stepColumn')}</Table.Th>
              <Table.Th ta="end">{t('people')}</Table.Th>
              <Table.Th miw={160}>{t('share')}</Table.Th>
              <Table.Th ta="end">{t('shareOfPrevious')}</Table.Th>
              <Table.Th ta="end">{t('median')}</Table.Th>
              <Table.Th>{t('whoDropped')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {result.steps.map(({ type, people, share, shareOfPrevious, medianSeconds }, index) => {
              const lost = people - (result.steps[index + 1]?.people ?? people)
              return (
                <Table.Tr key={index}>
                  <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                    {format.number(index + 1)}. <bdi className="cf-code">{type}</bdi>
                  </Table.Th>
                  <Table.Td ta="end">
                    {people > 0 && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        onClick={() => setChosen({ step: index + 1, dropped: false })}
                        aria-label={`${format.number(people)}: ${t('whoTook', { number: index + 1 })}`}
                      >
                        {format.number(people)}
                      </Button>
                    )}
                  </Table.Td>
                  <Table.Td miw={140}>
                    <div className={classes.bar} style={{ '--share': `${share * 100}%` } as React.CSSProperties}>
                      <span>{format.percent(share)}</span>
                    </div>
                  </Table.Td>
                  <Table.Td ta="end">{index === 0 ? '–' : format.percent(shareOfPrevious)}</Table.Td>
                  <Table.Td ta="end">{medianSeconds === null ? '–' : lengthOf(medianSeconds)}</Table.Td>
                  <Table.Td>
                    {lost > 0 && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        onClick={() => setChosen({ step: index + 1, dropped: true })}
                        aria-label={`${format.number(lost)}: ${t('whoDroppedAfter', { number: index + 1 })}`}
                      >
                        {format.number(lost)}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Wide>
      {definition.by !== undefined && result.groups.length > 0 && <Groups result={result} by={definition.by} />}
      {chosen && <PeopleDialog definition={definition} people={chosen} environment={environment} onClose={() => setChosen(undefined)} />}
    </Stack>
  )
}

function Groups({ result: { groups, steps }, by }: { result: FunnelResult; by: string }) {
  const t = useTexts()
  const format = useFormat()
  const groupName = useGroupName()
  const title = t('byGroup', { field: useFieldName()(by) })
  return (
    <>
      <Title order={3}>{title}</Title>
      <Wide label={title} withBorder>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{useFieldName()(by)}</Table.Th>
              {steps.map((_, index) => (
                <Table.Th key={index} ta="end">
                  {t('step', { number: index + 1 })}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group, row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={400}>
                  <bdi>{groupName(group)}</bdi>
                </Table.Th>
                {group.people.map((people, index) => (
                  <Table.Td key={index} ta="end">
                    {format.number(people)}
                    {index > 0 && (group.people[0] ?? 0) > 0 && (
                      <Text span size="xs" c="dimmed">
                        {' '}
                        ({format.percent(people / group.people[0]!)})
                      </Text>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Wide>
    </>
  )
}

/** A length of time in its largest fitting unit. */
function useLength(): (seconds: number) => string {
  const t = useTexts()
  const format = useFormat()
  const shown = (value: number) => format.number(Math.round(value * 10) / 10)
  return (seconds) => {
    if (seconds < 90) return t('seconds', { number: shown(seconds) })
    if (seconds < 5_400) return t('minutes', { number: shown(seconds / 60) })
    if (seconds < 172_800) return t('hours', { number: shown(seconds / 3_600) })
    return t('daysLong', { number: shown(seconds / 86_400) })
  }
}
