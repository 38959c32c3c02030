import { Group, Progress, Stack, Table, Text } from '@mantine/core'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Section } from '../../../ui/section.tsx'
import type { Usage } from '../api.ts'
import { ForApps } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useTexts } from '../texts.ts'

const PARTS = ['instances', 'definitions', 'strings', 'campaigns', 'journeys', 'segments'] as const
/** From this share on the page warns that room is running out. */
const NEARLY_FULL = 0.8

export function UsageSection() {
  const t = useTexts()
  const usage = useRead<Usage>('/settings/usage')
  return (
    <Section title={t('usage')} text={t('usageText')}>
      <ForApps text={t('usageEffect')} />
      <Loaded read={usage} height={160}>
        {(held) => <Held {...held} />}
      </Loaded>
    </Section>
  )
}

function Held({ held, most, parts, files }: Usage) {
  const t = useTexts()
  const format = useFormat()
  const taken = PARTS.filter((part) => parts[part] > 0).toSorted((a, b) => parts[b] - parts[a])
  return (
    <Stack gap="sm" maw={480}>
      <Room label={t('usageContent')} held={held} most={most} />
      <Table aria-label={t('usageParts')}>
        <Table.Tbody>
          {taken.map((part) => (
            <Table.Tr key={part}>
              <Table.Th scope="row" fw={400}>
                {t(`usage_${part}`)}
              </Table.Th>
              <Table.Td ta="end">{format.bytes(parts[part])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Room label={t('usageFiles')} {...files} />
    </Stack>
  )
}

/** How much of a room is taken. */
function Room({ label, held, most }: { label: string; held: number; most: number }) {
  const t = useTexts()
  const format = useFormat()
  const share = held / most
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t('usageOf', { held: format.bytes(held), most: format.bytes(most) })}
        </Text>
        <Text size="sm">{format.percent(share)}</Text>
      </Group>
      <Progress aria-label={label} value={Math.min(share, 1) * 100} size={8} color={share < NEARLY_FULL ? undefined : 'orange'} />
      {share >= NEARLY_FULL && <Text size="sm">{t('usageNearlyFull')}</Text>}
    </Stack>
  )
}
