import { Button, Paper, Stack, Text } from '@mantine/core'
import type { ImportSource } from '@contentflow/core/imports/priorities.ts'
import type { RankingPreview } from '@contentflow/server/wire.ts'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { overridesOf } from './priority-order.ts'
import { useTexts } from './texts.ts'
import { wordsOfValue } from './value-words.ts'

/** Counts the people who would get another value with an unsaved order. Computed on request: with many people it takes seconds. */
export function PriorityPreview({ order }: { order: ImportSource[] }) {
  const t = useTexts()
  const ask = useWrite<ImportSource[], RankingPreview>(
    (next) => ({ path: '/enrichment/source-priorities/preview', method: 'POST', body: { priorities: overridesOf(next) } }),
    { stale: [], showsError: true },
  )
  return (
    <Stack gap="sm" align="start">
      {!ask.data && (
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate(order)}>
          {t('seeChanges')}
        </Button>
      )}
      {ask.error && <Failure error={ask.error} />}
      {ask.data && <Changes preview={ask.data} />}
    </Stack>
  )
}

function Changes({ preview: { people, checked, isComplete, attributes, examples } }: { preview: RankingPreview }) {
  const t = useTexts()
  const format = useFormat()
  const counts = attributes.map(({ name, people: count }) => `${name} (${format.number(count)})`)
  const words = (value: unknown) => (value === null ? t('noValue') : wordsOfValue(value, t, format))
  return (
    <Paper withBorder p="sm" w="100%" role="status">
      <Stack gap={6}>
        <Text size="sm" fw={600}>
          {t('changing', { count: people, people: format.number(people) })}
        </Text>
        {!isComplete && (
          <Text size="sm" c="dimmed">
            {t('changingSome', { checked: format.number(checked) })}
          </Text>
        )}
        {people > 0 && (
          <>
            <Text size="sm" className="cf-foreign">
              {format.list(counts)}
            </Text>
            <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
              {examples.map(({ userId, name, before, after }) => (
                <Text key={`${userId} ${name}`} component="li" size="sm" c="dimmed" className="cf-foreign">
                  {t('changesTo', { person: userId ?? t('somebody'), name, before: words(before), after: words(after) })}
                </Text>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Paper>
  )
}
