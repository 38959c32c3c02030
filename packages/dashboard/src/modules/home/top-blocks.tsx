import { Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages } from '../../data.ts'
import { Section } from '../../ui/section.tsx'
import type { BlockType } from '../content/api.ts'
import { useAll } from '../content/use-all.ts'
import type { Analytics } from './activity.ts'
import { useTexts } from './texts.ts'

const SHOWN = 6

/** A workspace that nobody has seen anything of needs no table. */
const TopBlocksTable = lazy(async () => ({ default: (await import('./top-blocks-table.tsx')).TopBlocksTable }))

/** The blocks that were seen most in the span. */
export function TopBlocks({ analytics: { data } }: { analytics: UseQueryResult<Analytics> }) {
  const t = useTexts()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const names = new Map(types.items.map(({ key, name }) => [key, name]))
  const isUnknown = data?.blocks.slice(0, SHOWN).some(({ key }) => !names.has(key)) ?? false
  // Their counts stay when a type is archived.
  const archived = usePages<BlockType>('/blocks', 'blocks', { limit: 200, archived: true }, { when: !types.isLoading && isUnknown })
  const archivedNames = new Map(archived.items.map(({ key, name }) => [key, name]))
  return (
    <Section title={t('topBlocks')}>
      {!data ? (
        <Waiting />
      ) : data.blocks.length === 0 ? (
        <Text c="dimmed">{t('noBlocks')}</Text>
      ) : (
        <Suspense fallback={<Waiting />}>
          <TopBlocksTable blocks={data.blocks.slice(0, SHOWN)} names={names} archivedNames={archivedNames} />
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
