import { Text } from '@mantine/core'
import type { Configuration, Member } from '@contentflow/core/channels/channel.ts'
import { isSecret } from '@contentflow/core/channels/configuration.ts'
import { memberName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useChannelTexts } from './texts.ts'

/** A configuration as its readers see it, its secrets as words. */
export function MemberFact({ member, value }: { member: Member; value: Configuration[string] }) {
  const t = useChannelTexts()
  const say = useProviderTexts()
  const shown = () => {
    if (typeof value === 'object') return value['client_email'] ?? t('storedSecret')
    if (isSecret(member.name)) return t('storedSecret')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return member.choices ? say(`region_${value as 'us' | 'eu'}`) : String(value)
  }
  return (
    <div>
      <Text size="xs" c="dimmed" component="dt">
        {memberName(member, say)}
      </Text>
      <Text size="sm" component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{shown()}</bdi>
      </Text>
    </div>
  )
}
