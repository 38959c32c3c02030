import { Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Section } from '../../ui/section.tsx'
import type { Analytics } from './activity.ts'
import { useTexts } from './texts.ts'

const SHOWN = 6

/** Loaded only where something was shown: a new workspace needs no table. */
const TopBlocksTable = lazy(async () => ({ default: (await import('./top-blocks-table.tsx')).TopBlocksTable }))

/** The blocks that were seen most in the span. */
export function TopBlocks({ analytics: { data } }: { analytics: UseQueryResult<Analytics> }) {
  const t = useTexts()
  return (
    <Section title={t('topBlocks')}>
      {!data ? (
        <Waiting />
      ) : data.blocks.length === 0 ? (
        <Text c="dimmed">{t('noBlocks')}</Text>
      ) : (
        <Suspense fallback={<Waiting />}>
          <TopBlocksTable blocks={data.blocks.slice(0, SHOWN)} waiting={<Waiting />} />
        </Suspense>
      )}
    </Section>
  )
}

function Waiting() {
  return (
    <Stack gap="md">
      {Array.from({ length: 3 }, (_, row) => (
        <Skeleton key={row} height={24} />
      ))}
    </Stack>
  )
}
