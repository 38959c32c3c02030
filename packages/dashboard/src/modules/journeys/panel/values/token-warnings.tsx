/** Says which properties a text names that are not always sent: who lacks one gets no message. */
import { Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { tokensIn } from '@contentflow/core/messages/tokens.ts'
import { useFormat } from '../../../../format.ts'
import { useEventType } from '../../../events/api.ts'
import { useEditor } from '../../editor-context.tsx'
import { useStepTexts } from '../../texts-steps.ts'
import { tokenSourcesOf, type TokenSource } from './listened-events.ts'
import { isAlwaysSent } from './token-menu.tsx'

export function TokenWarnings({ texts }: { texts: readonly string[] }) {
  const { draft } = useEditor()
  const tokens = tokensIn(texts)
  return tokenSourcesOf(draft).map((source) => {
    const paths = tokens.flatMap((token) => (token.startsWith(`${source.prefix}.`) ? [token.slice(source.prefix.length + 1)] : []))
    return paths.length === 0 ? null : <Warning key={`${source.prefix} ${source.type}`} source={source} paths={paths} />
  })
}

function Warning({ source, paths }: { source: TokenSource; paths: readonly string[] }) {
  const t = useStepTexts()
  const format = useFormat()
  const { data } = useEventType(source.type, 'live')
  if (!data) return null
  const always = new Set(data.properties.filter(isAlwaysSent).map(({ name }) => name))
  const uncertain = paths.filter((path) => !always.has(path))
  if (uncertain.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="note">
      <IconAlertCircle size={14} aria-hidden color="var(--mantine-color-orange-7)" style={{ flexShrink: 0, marginBlockStart: 3 }} />
      <Text size="xs">{t('notAlwaysSent', { tokens: format.list(uncertain), event: source.type })}</Text>
    </Group>
  )
}
