import { Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import { useReasonWords } from '../../../ui/reason-words.ts'

/** How many people got nothing, by reason; the most frequent first. Reasons of a provider stay as they are. */
export function SkipReasons({ counts }: { counts: Record<string, number> }) {
  const format = useFormat()
  const words = useReasonWords()
  const reasons = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
  if (reasons.length === 0) return null
  return (
    <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {reasons.map(([reason, count]) => (
        <Group key={reason} component="li" gap="xs" wrap="nowrap" align="baseline">
          <Text size="xs" fw={600} miw={32} ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {format.number(count)}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{words(reason)}</bdi>
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
