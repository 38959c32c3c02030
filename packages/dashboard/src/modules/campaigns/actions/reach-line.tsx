import { Text } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import { useReach } from '../composer/reach.tsx'
import { useChannelName } from '../words.ts'
import { useActionTexts } from './texts.ts'

/** How many people a launch would write to, exactly. */
export function ReachLine({ id }: { id: string }) {
  const t = useActionTexts()
  const format = useFormat()
  const name = useChannelName()
  const { data } = useReach(id)
  const counts = Object.entries(data?.channels ?? {}).map(([channel, { reachable }]) => `${name(channel)} ${format.number(reachable)}`)
  if (counts.length === 0) return null
  return (
    <Text size="sm" fw={500}>
      {t('reachable', { list: format.list(counts) })}
    </Text>
  )
}
