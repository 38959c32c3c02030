import { Badge, List, Table, Text } from '@mantine/core'
import { useFormat } from '../../format.ts'
import { Section } from '../../ui/section.tsx'
import { VariantsTable } from '../../ui/variants-table.tsx'
import { Wide } from '../../ui/wide.tsx'
import type { Experiment } from './api.ts'
import { useTexts } from './texts.ts'
import { useAmount, useGoal } from './words.ts'

/** Each variant with how many saw it and what they did. */
export function GroupsSection({ experiment: { subject, groups, metric } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  const amount = useAmount(metric)
  const isOfPeople = subject === 'control'
  const label = t(isOfPeople ? 'groupsOfPeople' : 'groups')
  return (
    <Section title={label}>
      <Wide label={label}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t(isOfPeople ? 'groupOfPeople' : 'variant')}</Table.Th>
              <Table.Th ta="end">{t(isOfPeople ? 'people' : 'devices')}</Table.Th>
              <Table.Th ta="end">{t('did')}</Table.Th>
              <Table.Th ta="end">{t(metric.of === 'people' ? 'share' : 'mean')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map(({ variantId, units, did, mean, low, high }) => (
              <Table.Tr key={variantId}>
                <Table.Th scope="row">
                  <bdi>{variantId}</bdi>
                </Table.Th>
                <Table.Td ta="end">{format.number(units)}</Table.Td>
                <Table.Td ta="end">{format.number(did)}</Table.Td>
                <Table.Td ta="end">
                  {mean !== null && amount(mean)}
                  {low !== null && high !== null && (
                    <Text size="xs" c="dimmed">
                      {t('range', {
                        low: amount(metric.of === 'people' ? Math.max(low, 0) : low),
                        high: amount(metric.of === 'people' ? Math.min(high, 1) : high),
                      })}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Wide>
    </Section>
  )
}

export function LanguagesSection({ experiment: { languages } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  if (languages.length === 0) return null
  return (
    <Section title={t('languages')}>
      <VariantsTable
        label={t('languages')}
        rows={languages}
        columns={[
          { title: t('devices'), cell: ({ units }) => format.number(units) },
          { title: t('did'), cell: ({ did }) => format.number(did) },
        ]}
        words={{ variant: t('variant'), language: t('language'), noLanguage: t('noLanguage') }}
      />
    </Section>
  )
}

const COLOURS = { harmed: 'red', safe: 'green', unclear: 'gray' } as const

export function GuardrailsSection({ experiment }: { experiment: Experiment }) {
  const { guardrails } = experiment
  const t = useTexts()
  const goal = useGoal(experiment)
  const format = useFormat()
  if (guardrails.length === 0) return null
  return (
    <Section title={t('guardrails')} text={t('guardrailsText')}>
      <List size="sm" spacing={6} listStyleType="none">
        {guardrails.map(({ metric, mustNot, state, against }, index) => (
          <List.Item key={index}>
            <Badge color={COLOURS[state]} variant="light" tt="none" radius="sm" me={8}>
              {t(`guard_${state}`)}
            </Badge>
            {t('guardrail', { direction: t(`direction_${mustNot}`), goal: goal(metric) })}
            {against.length > 1 && (
              <Text size="xs" c="dimmed">
                {format.list(against.map((each) => t('against', { variant: each.variantId, state: t(`guard_${each.state}`) })))}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
